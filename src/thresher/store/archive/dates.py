"""Dates in archives: ISO 8601 with microseconds in WARC, fourteen digits in ARC and CDXJ."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DATE: Final = re.compile(
    r"(\d{4})(?:-?(\d\d)(?:-?(\d\d)(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?)?)?"
    r"(?:Z|([+-])(\d\d):?(\d\d))?",
    re.ASCII,
)


# All records of an exchange and its index row have the same date.
@lru_cache(maxsize=16)
def warc_date(at: float) -> str:
    """Return wall time (seconds since the epoch) as a WARC-Date, in UTC.

    >>> warc_date(1.5)
    '1970-01-01T00:00:01.500000Z'
    """
    return _moment(at).isoformat(timespec="microseconds").replace("+00:00", "Z")


def timestamp(at: float) -> str:
    """Return wall time (seconds since the epoch) as fourteen digits, in UTC; fractions of a second are dropped.

    >>> timestamp(1.5)
    '19700101000001'
    """
    date = warc_date(at)
    return "".join(date[place : place + 2] for place in (0, 2, 5, 8, 11, 14, 17))


def _moment(at: float) -> datetime:
    """Return a time as a datetime with microseconds; a time that no datetime can hold becomes the epoch."""
    try:
        return _EPOCH + timedelta(microseconds=round(at * 1e6))
    except (OverflowError, ValueError):
        return _EPOCH


def read_date(text: str) -> float | None:
    """Return the wall time of a date in any of these forms, or None if it is invalid; missing parts are the earliest.

    >>> read_date("1970-01-01T00:00:01.5Z"), read_date("19700101000001"), read_date("yesterday")
    (1.5, 1.0, None)
    """
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, sign, hours, minutes = found.groups()
    try:
        # A leap second counts as the next second.
        moment = datetime(int(year), int(month or 1), int(day or 1), int(hour or 0), int(minute or 0), tzinfo=UTC)
        micros = int((fraction or "0")[:6].ljust(6, "0"))
        moment += timedelta(seconds=min(int(second or 0), 60), microseconds=micros)
        shift = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        moment = moment + shift if sign == "-" else moment - shift
    except (ValueError, OverflowError):
        return None
    return (moment - _EPOCH) / timedelta(microseconds=1) / 1e6

"""Parses times given as options: a day, or how long ago."""

import re
from datetime import datetime, timedelta
from typing import Final

from thresher.errors import UsageError

_AGO: Final = re.compile(r"(\d{1,6})\s*([hdwmy])[a-z]*", re.IGNORECASE)
_HOURS: Final = {"h": 1, "d": 24, "w": 7 * 24, "m": 30 * 24, "y": 365 * 24}


def moment(option: str, written: str, now: float, end_of_day: bool = False) -> float:
    """Return the time given for an option, in seconds since 1970; raise UsageError if it is not a time.

    Days are local days; `end_of_day` returns the end of the day.

    >>> moment("--since", "2d", 864_000.0), moment("--since", "3 weeks", 1_814_400.0)
    (691200.0, 0.0)
    """
    ago = _AGO.fullmatch(written.strip())
    if ago is not None:
        return now - int(ago[1]) * _HOURS[ago[2].lower()] * 3600.0
    try:
        found = datetime.fromisoformat(written.strip())
        day = len(written.strip()) == len("2026-01-31")
        return (found + timedelta(days=1) if end_of_day and day else found).timestamp()
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"{option} cannot be '{written[:50]}'.", "Write a day, as in 2026-01-31, or how long ago, as in 30d."
        ) from None

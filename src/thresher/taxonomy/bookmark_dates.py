"""Parses dates in bookmarks as written by browsers and bookmark services."""

from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_MICROSECONDS: Final = 10**14
_MILLISECONDS: Final = 10**11
_LONGEST: Final = 64
"""Maximum length in characters of a written date."""


def _access_log(written: str) -> datetime:
    return datetime.strptime(written, "%d/%b/%Y:%H:%M:%S %z")


_WRITTEN_OUT: Final[tuple[Callable[[str], datetime], ...]] = (
    datetime.fromisoformat,
    _access_log,
    parsedate_to_datetime,
)
"""Parsers for ISO 8601, for dates as in access logs, and for dates as in e-mail."""


def moment(written: str | int) -> int | None:
    """Return a date in seconds since the epoch, or None if it is not a date.

    Numbers are seconds, milliseconds or microseconds; written dates without a time zone count as UTC.

    >>> moment("1195142400"), moment("1195142400000"), moment("yesterday"), moment("0")
    (1195142400, 1195142400, None, None)
    >>> moment("10/Oct/2000:13:55:36 +0300"), moment("2000-10-10T10:55:36Z"), moment("Tue, 10 Oct 2000 10:55:36 GMT")
    (971175336, 971175336, 971175336)
    """
    try:
        number = int(written)
    except ValueError:
        number = _seconds(str(written).strip())
    if number >= _MICROSECONDS:
        number //= 1_000_000
    elif number >= _MILLISECONDS:
        number //= 1000
    return number if 0 < number < _MILLISECONDS else None


def _seconds(written: str) -> int:
    """Return a written date in seconds since the epoch, 0 if it cannot be parsed."""
    if not 8 <= len(written) <= _LONGEST:
        return 0
    for read in _WRITTEN_OUT:
        try:
            found = read(written)
            return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
        except (ValueError, OverflowError, TypeError):
            continue
    return 0

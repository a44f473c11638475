"""What an HTTP status says about a fetch, and how long a server asks to wait."""

import math
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final

from thresher.reasons import Reason

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
"""The statuses that redirect the client with a `Location`."""

NOT_MODIFIED: Final = 304
"""The status for a conditional request if the page has not changed."""

_REASONS: Final = {
    401: Reason.FORBIDDEN,
    403: Reason.FORBIDDEN,
    404: Reason.NOT_FOUND,
    410: Reason.GONE,
    429: Reason.RATE_LIMITED,
    451: Reason.FORBIDDEN,
    503: Reason.UNAVAILABLE,
}


def reason_of(status: int) -> Reason | None:
    """Return why an answer with this status has no page; None for 200, the only status with one.

    Redirects are handled by the caller; otherwise they are a bad status like any other.

    >>> reason_of(200), reason_of(404).value, reason_of(502).value, reason_of(418).value
    (None, 'not-found', 'server-error', 'bad-status')
    """
    if status == 200:
        return None
    if status in _REASONS:
        return _REASONS[status]
    return Reason.SERVER_ERROR if 500 <= status <= 599 else Reason.BAD_STATUS


def retry_after(value: str | None, now: float) -> float | None:
    """Return the seconds from `now` (wall time) that a Retry-After field asks for; None if it is absent or broken.

    The field holds seconds or an HTTP date; a date in the past means now.

    >>> retry_after("120", 0.0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 50.0), retry_after("soon", 0.0)
    (120.0, 10.0, None)
    """
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit():
        seconds = float(text)
        return seconds if math.isfinite(seconds) else None
    try:
        date = parsedate_to_datetime(text)
        # A date without a time zone is read as GMT, the only zone of HTTP dates.
        at = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return None
    return max(0.0, at - now)

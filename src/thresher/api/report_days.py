"""The days covered by morning reports."""

import math
from collections import Counter
from datetime import date, datetime, time, timedelta
from typing import Final

from thresher.store.protocol import Store

MOST: Final = 50_000
"""Maximum number of new pages considered."""

_EPOCH: Final = 1970
_DAY: Final = 86_400.0


def day_of(text: str) -> date | None:
    """Return the day in a text, or None if it is not a date or before 1970.

    >>> day_of("2026-11-16"), day_of("yesterday"), day_of("0001-01-01")
    (datetime.date(2026, 11, 16), None, None)
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if len(text) == 10 and day.year > _EPOCH else None


def bounds(day: date) -> tuple[float, float]:
    """Return the times at which a local day begins and ends, in seconds since 1970."""
    begin = datetime.combine(day, time()).astimezone().timestamp()
    if day == date.max:
        return begin, math.inf
    return begin, datetime.combine(day + timedelta(days=1), time()).astimezone().timestamp()


def days_with_news(store: Store, now: float, number: int, within: int = 60) -> list[tuple[date, int]]:
    """Return the newest days on which pages were found, with their numbers, newest first."""
    found = store.watch.arrivals(now - within * _DAY, now + _DAY, MOST)
    counted = Counter(datetime.fromtimestamp(page.found).date() for page in found)
    return sorted(counted.items(), reverse=True)[:number]

"""Budgets: when a crawl has done enough."""

from enum import StrEnum

from msgspec import Struct

from thresher.crawl.phases.harvest_rate import HarvestRate, Until


class Stop(StrEnum):
    """Why a crawl came to an end; everything but `EMPTY` can be resumed."""

    PAGES = "pages"
    TIME = "time"
    EMPTY = "empty"
    HARVEST = "harvest-rate"
    INTERRUPTED = "interrupted"
    REQUESTED = "requested"


class Budget(Struct, frozen=True, kw_only=True):
    """Limits of one run; `pages` counts stored pages of the whole crawl, `seconds` the time of this run; 0 is no limit.

    `until` ends it when the harvest rate of the last pages has fallen too low.

    >>> Budget(pages=10).spent(pages=10, seconds=3.0)
    <Stop.PAGES: 'pages'>
    """

    pages: int = 0
    seconds: float = 0.0
    until: Until | None = None

    def spent(self, pages: int, seconds: float, rate: HarvestRate | None = None) -> Stop | None:
        """Return which limit has been reached, or None."""
        if self.pages and pages >= self.pages:
            return Stop.PAGES
        if self.seconds and seconds >= self.seconds:
            return Stop.TIME
        if self.until is not None and rate is not None and self.until.reached(rate):
            return Stop.HARVEST
        return None

    def room(self, pages: int) -> int | None:
        """Return how many pages may still be stored, or None where there is no limit."""
        return max(0, self.pages - pages) if self.pages else None

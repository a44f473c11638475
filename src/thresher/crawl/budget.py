"""The limits of a crawl: parallelism, intervals and totals."""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from thresher.crawl.phases.harvest_rate import HarvestRate, Until


class Pace(Struct, frozen=True, kw_only=True):
    """The pace of a crawl: parallel fetches, pages between reorderings and saved states of the strategy.

    A `choosy` crawl waits for the hosts of the best pages while others are open. `grace` is how long fetches in flight
    may continue after a stop. `patience` is how long a fetch counts towards the last pages of a budget and towards the
    parallel fetches. `poll` is how often requests from other processes are read; 0 means never. Progress is shown every
    `show` seconds, and the names of the next `ahead` hosts are looked up every `names` seconds. All times are in
    seconds. The harvest rate is that of the last `window` pages.
    """

    parallel: int = 64
    reorder_every: int = 500
    grace: float = 2.0
    patience: float = 2.0
    poll: float = 0.5
    show: float = 0.1
    names: float = 0.1
    ahead: int = 64
    window: int = 200
    choosy: bool = False


class Stop(StrEnum):
    """Why a crawl ended; everything but `EMPTY` can be resumed."""

    PAGES = "pages"
    TIME = "time"
    EMPTY = "empty"
    HARVEST = "harvest-rate"
    WANTED = "wanted"
    DEARER = "dearer"
    INTERRUPTED = "interrupted"
    REQUESTED = "requested"


MOMENT: Final = 1e-6
"""Waits shorter than this are below the resolution of a clock, in seconds."""

DONE: Final = (Stop.PAGES, Stop.TIME, Stop.EMPTY, Stop.HARVEST, Stop.WANTED, Stop.DEARER)
"""Why a crawl stopped, if it did what it was asked to do."""


class Budget(Struct, frozen=True, kw_only=True):
    """Limits of one run, 0 for none; `pages` counts stored pages of the whole crawl, `seconds` the time of this run.

    `until` ends the run when the harvest rate of the last pages has fallen too low.

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
        if self.seconds and seconds >= self.seconds - MOMENT:
            return Stop.TIME
        if self.until is not None and rate is not None and self.until.reached(rate):
            return Stop.HARVEST
        return None

    def ends(self, now: float, seconds: float) -> float | None:
        """Return when a run that has taken `seconds` by `now` reaches its time limit, or None if there is none."""
        return now + self.seconds - seconds if self.seconds else None

    def room(self, pages: int) -> int | None:
        """Return how many pages may still be stored, or None if there is no limit."""
        return max(0, self.pages - pages) if self.pages else None

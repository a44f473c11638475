"""The budget of a whole run: how many pages all its stages may store together, and how long one call may take.

Every crawl of a run is marked, so the next call knows what was spent and what is left. Crawls started individually
belong to no run; a harvest among them can continue as a run, and then its pages count.
"""

import math
from typing import Final

from msgspec import Struct

from thresher.config.learning_settings import LearnSettings
from thresher.crawl.budget import Stop
from thresher.runs.forecast import EXCHANGE
from thresher.store.crawl_history import all_crawls, newest_of
from thresher.store.protocol import Store
from thresher.store.records import PHASES, CrawlKind, CrawlRow, RunMark

TRAINING: Final = 0.8
"""Maximum share of the budget for training; the rest is for crawling."""

LEAST: Final = 20
"""Minimum number of pages for a worthwhile learning crawl."""

SLACK: Final = 2.0
"""Maximum duration of a learning crawl, as a multiple of the expected one."""

SECOND: Final = 1 / 3600


class RunBudget(Struct, frozen=True):
    """The user's limits: `pages` of the whole run, including earlier calls, and `hours` of this call.

    None keeps the earlier limit, or that of each stage's settings.
    """

    pages: int | None = None
    hours: float | None = None

    def extends(self, stopped_because: str) -> bool:
        """Return whether this extends the limit that ended a harvest.

        >>> RunBudget(hours=2.0).extends("time"), RunBudget(hours=2.0).extends("pages")
        (True, False)
        """
        if stopped_because == Stop.PAGES:
            return self.pages is not None
        return stopped_because == Stop.TIME and (self.pages is not None or self.hours is not None)


class Allowance(Struct, frozen=True):
    """What is left: pages and hours, or None for no limit."""

    pages: int | None = None
    hours: float | None = None

    def after(self, pages: int, seconds: float) -> "Allowance":
        """Return what is left after spending some; a little time always remains.

        >>> Allowance(100, 2.0).after(30, 3600)
        Allowance(pages=70, hours=1.0)
        """
        return Allowance(
            max(0, self.pages - pages) if self.pages is not None else None,
            max(SECOND, self.hours - seconds / 3600) if self.hours is not None else None,
        )

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        return self.pages == 0 or (self.hours is not None and self.hours <= SECOND)

    def for_training(self) -> int | None:
        """Return how many pages training may fetch, or None for no limit.

        >>> Allowance(60).for_training(), Allowance(1).for_training()
        (48, 0)
        """
        return None if self.pages is None else max(0, min(math.ceil(TRAINING * self.pages), self.pages - 1))

    def for_learning(self, chosen: LearnSettings, sites: int = 0, delay: float = 0.0) -> "Allowance | None":
        """Return what a learning crawl may spend, with the settings' own limits; None if it is too little.

        A limit of 0 in the settings means no limit. The crawl stays on the `sites` of the training pages (0 if it does
        not), and each site gets one request at a time, with a `delay` in between. Many pages of few or slow sites would
        hold up the harvest, which learns as well.
        """
        pages, hours = chosen.pages or math.inf, chosen.hours or math.inf
        if chosen.per_site and sites:
            pages = min(pages, max(LEAST, chosen.per_site * sites))
            hours = min(hours, SLACK * chosen.per_site * (delay + EXCHANGE) * SECOND)
        if self.pages is not None:
            pages = min(pages, int(chosen.share * self.pages))
        if self.hours is not None:
            hours = min(hours, chosen.share * self.hours)
        if pages < LEAST and self.pages is not None:
            return None
        return Allowance(None if pages == math.inf else int(pages), None if hours == math.inf else hours)

    def named(self, section: str) -> dict[str, float]:
        """Return the limits as settings of a section.

        >>> Allowance(pages=5).named("crawl")
        {'crawl.pages': 5}
        """
        both = {f"{section}.pages": self.pages, f"{section}.hours": self.hours}
        return {key: value for key, value in both.items() if value is not None}

    def __str__(self) -> str:
        """Return the limits in words, empty if there are none.

        >>> str(Allowance(1200, 1.5)), str(Allowance(1)), str(Allowance(hours=0.1)), str(Allowance())
        ('at most 1,200 pages and 1.5 hours', 'at most 1 page', 'at most 6 minutes', '')
        >>> str(Allowance(40, 1 / 90))
        'at most 40 pages and 40 seconds'
        """
        parts = []
        if self.pages is not None:
            parts.append(f"{self.pages:,} page{'' if self.pages == 1 else 's'}")
        if self.hours is not None:
            seconds = self.hours * 3600
            short = f"{seconds:.3g} seconds" if seconds < 90 else f"{seconds / 60:.3g} minutes"
            parts.append(short if seconds < 3600 else f"{self.hours:.3g} hours")
        return f"at most {' and '.join(parts)}" if parts else ""


class RunAccount(Struct, frozen=True):
    """A run: its mark, the pages it may store, and its crawls so far."""

    mark: RunMark
    crawls: list[CrawlRow] = []

    @property
    def pages(self) -> int:
        """Pages that the run has stored."""
        return sum(crawl.progress.pages for crawl in self.crawls)

    @property
    def left(self) -> int | None:
        """Pages that the run may still store, or None for no limit."""
        return max(0, self.mark.pages - self.pages) if self.mark.pages else None


def own_pages(crawl: CrawlRow) -> int:
    """Return the page budget that a crawl began with, 0 for no limit."""
    return int(crawl.settings.get("values", {}).get("crawl", {}).get("pages", 0))


def account_of(store: Store, budget: RunBudget | None = None, *, fresh: bool = False) -> RunAccount:
    """Return the current run of a portal, or a new one, with the budget that applies to it.

    A new run starts if `fresh` is set and the previous one has got beyond training. A call without a page budget
    continues with the earlier one.
    """
    asked = budget.pages if budget is not None else None
    marked = [crawl for crawl in all_crawls(store) if crawl.run is not None]
    last = marked[-1].run if marked else None
    new = RunMark(last.number + 1 if last else 1, asked or 0)
    phase = newest_of(store, *PHASES)
    alone = phase is not None and phase.run is None and phase.kind is CrawlKind.HARVEST
    if phase is not None and alone and not fresh and (not marked or phase.id > marked[-1].id):
        return RunAccount(new, [phase])
    own = [crawl for crawl in marked if crawl.run and last and crawl.run.number == last.number]
    if last is None or (fresh and any(crawl.kind in PHASES for crawl in own)):
        return RunAccount(new)
    return RunAccount(RunMark(last.number, last.pages if asked is None else asked), own)

"""Plans: the kinds of crawls and their parameters."""

from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from thresher.store.page_records import DocumentRow
from thresher.store.records import CrawlRow, Progress, RunMark
from thresher.train.reclassifying import Reclassified
from thresher.types import Candidate


class NewCrawl(Struct, frozen=True):
    """A new crawl of a portal; `overrides` are `key=value` settings.

    `replay` names WARC or ARC files, or folders of them, to crawl instead of the web.

    >>> NewCrawl(Path("my-portal"), ["crawl.pages=500"]).fresh
    False
    """

    portal: Path
    overrides: list[str] = []
    fresh: bool = False
    replay: list[str] = []


class Learn(Struct, frozen=True):
    """A learning crawl near the training pages, for more training material; `run` marks it as part of a run."""

    portal: Path
    overrides: list[str] = []
    fresh: bool = False
    run: RunMark | None = None


class Harvest(Struct, frozen=True):
    """A harvest: crawls wherever the topics lead, with retraining; continues where the learning crawl ended.

    `run` marks it as part of a whole run. A `fresh` harvest begins with the start pages or, with `from_hubs`, takes
    over the pages of the previous harvest as they are stored now and puts the links of the best hubs first.
    """

    portal: Path
    overrides: list[str] = []
    fresh: bool = False
    run: RunMark | None = None
    from_hubs: bool = False


class Ask(Struct, frozen=True):
    """A search for pages that answer a query, from what the portal has, up to `pages` and `hours` (0 for no limit).

    An interrupted search for the same query continues, unless `fresh` is given or its budget is spent.
    `seeds` are more start pages.
    """

    portal: Path
    query: str
    pages: int = 0
    hours: float = 0.0
    overrides: list[str] = []
    seeds: list[str] = []
    fresh: bool = False

    @property
    def limits(self) -> dict[str, float]:
        """The budget as settings."""
        return {"crawl.pages": self.pages, "crawl.hours": self.hours}


class Refresh(Struct, frozen=True):
    """A refresh of a portal: rechecks at most `pages` of its pages, 0 for all.

    Only pages last visited at least `days` ago are checked; `hours` limits the run, 0 for no limit.
    """

    portal: Path
    pages: int = 0
    days: float = 0.0
    hours: float = 0.0
    overrides: list[str] = []


class Resume(Struct, frozen=True):
    """Resumption of a crawl, by default the latest that can continue.

    `limits` are new budgets by setting, `adopt` uses the portal's current settings, and `crawl` is the id of another
    crawl. `strategy` is the crawl's strategy with changed parameters, or empty to keep them. `overrides` are
    `key=value` settings for this run alone.
    """

    portal: Path
    limits: dict[str, float] = {}
    adopt: bool = False
    crawl: int = 0
    strategy: str = ""
    overrides: list[str] = []


class TrainingFetch(Struct, frozen=True):
    """A fetch for training: candidates and pages beyond them, down to `depth`; at most `pages`, 0 for all.

    Nothing is judged, and the crawl is not resumed: training again continues with what is there. `hours` limits it, 0
    for no limit; `run` marks it as part of a whole run.
    """

    portal: Path
    candidates: list[Candidate]
    depth: int = 0
    pages: int = 0
    hours: float = 0.0
    overrides: list[str] = []
    run: RunMark | None = None


class SampleSites(Struct, frozen=True):
    """A fetch of the first pages of sites, to learn topics from; `urls` has one page of each site."""

    portal: Path
    urls: list[str]
    strategy: str
    overrides: list[str] = []


class SearchSites(Struct, frozen=True):
    """A crawl for whole sites by a strategy, at most `pages`, 0 for no limit; `model` is the file of the classifier."""

    portal: Path
    strategy: str
    pages: int
    model: str
    overrides: list[str] = []


Plan: TypeAlias = NewCrawl | Learn | Harvest | Ask | Refresh | Resume | TrainingFetch | SampleSites | SearchSites


class RunResult(Struct, frozen=True):
    """How a run ended; `lessons` are training pages marked noindex, which are not stored.

    `judged` is the result of reclassifying all pages, or None if that was not done.
    """

    crawl: CrawlRow
    progress: Progress
    lessons: list[DocumentRow] = []
    judged: Reclassified | None = None

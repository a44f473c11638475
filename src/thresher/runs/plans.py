"""Plans: the kinds of crawls and their parameters."""

from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from thresher.store.page_records import DocumentRow
from thresher.store.records import CrawlRow, Progress, RunMark
from thresher.train.reclassifying import Reclassified
from thresher.types import Candidate


class Start(Struct, frozen=True):
    """A new crawl of a portal; `overrides` are `key=value` settings.

    `replay` names WARC or ARC files, or folders of them, to crawl in place of the web.

    >>> Start(Path("my-portal"), ["crawl.pages=500"]).fresh
    False
    """

    portal: Path
    overrides: list[str] = []
    fresh: bool = False
    replay: list[str] = []


class Learn(Struct, frozen=True):
    """A learning crawl: near the training pages, for pages that can teach the topics; `run` marks a part of a run."""

    portal: Path
    overrides: list[str] = []
    fresh: bool = False
    run: RunMark | None = None


class Harvest(Struct, frozen=True):
    """A harvest: everywhere the topics lead, retraining on the way; it continues where the learning crawl ended.

    `run` marks a part of a whole run.
    """

    portal: Path
    overrides: list[str] = []
    fresh: bool = False
    run: RunMark | None = None


class Ask(Struct, frozen=True):
    """A search for pages that answer a query, from what the portal has; at most `pages` and `hours`, 0 for no limit.

    One for the same query that was interrupted continues, unless it is given up by a `fresh` one or has as many pages.
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
        """The budget by setting."""
        return {"crawl.pages": self.pages, "crawl.hours": self.hours}


class Refresh(Struct, frozen=True):
    """A refresh of a portal: its pages are asked for again, at most `pages` of them, 0 for all.

    Only pages last visited at least `days` ago are checked; `hours` limits the run, 0 for no limit.
    """

    portal: Path
    pages: int = 0
    days: float = 0.0
    hours: float = 0.0
    overrides: list[str] = []


class Resume(Struct, frozen=True):
    """A crawl continues, by default the one that a person means by that.

    `limits` are new budgets by setting, `adopt` takes the portal's present settings; `crawl` is the id of another one.
    `strategy` is its strategy with changed parameters, empty to keep them.
    """

    portal: Path
    limits: dict[str, float] = {}
    adopt: bool = False
    crawl: int = 0
    strategy: str = ""


class TrainingFetch(Struct, frozen=True):
    """Pages fetched for training: candidates and what lies beyond them, down to `depth`; `pages` of them, 0 for all.

    Nothing is judged, and the crawl is not resumed: training again continues with what is there. `hours` limits it, 0
    for no limit; `run` marks a part of a whole run.
    """

    portal: Path
    candidates: list[Candidate]
    depth: int = 0
    pages: int = 0
    hours: float = 0.0
    overrides: list[str] = []
    run: RunMark | None = None


class SampleSites(Struct, frozen=True):
    """The first pages of sites are fetched, to learn topics from; `urls` name a page of each."""

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


Plan: TypeAlias = Start | Learn | Harvest | Ask | Refresh | Resume | TrainingFetch | SampleSites | SearchSites


class RunResult(Struct, frozen=True):
    """How a run ended; `lessons` are pages fetched for training that ask not to be kept, and are not.

    `judged` is what came of judging all pages again, None if that was not done.
    """

    crawl: CrawlRow
    progress: Progress
    lessons: list[DocumentRow] = []
    judged: Reclassified | None = None

"""Plans: what a run of a portal is to do."""

from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from thresher.store.records import CrawlRow, Progress
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
    """A learning crawl: near the training pages, for pages that can teach the topics."""

    portal: Path
    overrides: list[str] = []
    fresh: bool = False


class Harvest(Struct, frozen=True):
    """A harvest: everywhere the topics lead, retraining on the way; it goes on where the learning crawl ended.

    `query` is what a person asked, where it is for the sake of a query.
    """

    portal: Path
    overrides: list[str] = []
    fresh: bool = False
    query: str = ""


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
    """The newest crawl goes on; `limits` are new budgets by setting, `adopt` takes the portal's present settings."""

    portal: Path
    limits: dict[str, float] = {}
    adopt: bool = False


class TrainingFetch(Struct, frozen=True):
    """Pages fetched for training: candidates and what lies beyond them, down to `depth`; `pages` of them, 0 for all.

    Nothing is judged, and the crawl is not resumed: training again goes on with what is there.
    """

    portal: Path
    candidates: list[Candidate]
    depth: int = 0
    pages: int = 0
    overrides: list[str] = []


Plan: TypeAlias = Start | Learn | Harvest | Refresh | Resume | TrainingFetch


class RunResult(Struct, frozen=True):
    """How a run ended."""

    crawl: CrawlRow
    progress: Progress

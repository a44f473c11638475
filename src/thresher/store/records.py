"""Rows for crawls and models, and the batch that one transaction writes."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct, convert

from thresher.site_types import SiteChanges
from thresher.store.event_kinds import EventKind
from thresher.store.page_records import DocumentRow, DuplicateRow, VisitRow
from thresher.store.request_records import Reply
from thresher.store.url_records import HostRow, Letter, RobotsRow, UrlMove, UrlPrice, UrlRow
from thresher.types import Judgement, Kept


class CrawlKind(StrEnum):
    """What a crawl is for.

    `LEARN` and `HARVEST` are the phases of a focused crawl; they use the portal's current model even when resumed.
    `ASK` looks for answers to a query and serves no topic. `SITES` looks for whole websites. `REFRESH` rechecks known
    pages and follows no links. `TRAIN` fetches what training needs; it is never resumed, since the next training
    continues with what is there.
    """

    CRAWL = "crawl"
    LEARN = "learn"
    HARVEST = "harvest"
    ASK = "ask"
    SITES = "sites"
    REFRESH = "refresh"
    TRAIN = "train"


PHASES: Final = (CrawlKind.LEARN, CrawlKind.HARVEST)


RETRAINED: Final = EventKind.RETRAINED
"""The event that reports a round of retraining."""


class CrawlState(StrEnum):
    """The state of a crawl."""

    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"
    FINISHED = "finished"


class EventRow(Struct, frozen=True, kw_only=True):
    """Something that happened to a crawl as a whole: started, paused, cut a queue, adopted settings."""

    at: float
    kind: str
    detail: dict[str, Any] = {}


class Progress(Struct, frozen=True, kw_only=True):
    """The counters of a crawl, written with every batch; `seconds` is crawling time without pauses between runs.

    `unchanged`, `changed` and `gone` count rechecked pages; `reused` counts pages read from the portal without a
    request. `sites` has the numbers of decided, relevant and open sites in a crawl for websites; it is empty for other
    crawls. `withheld` counts the hosts left idle in favour of better pages; the run takes about `slower` times as long
    as it could.

    The rest is for display and is never stored: `page_limit` is how many pages the crawl may store or has to check,
    `time_limit` how many seconds this run may take, both 0 for no limit; `news` is an event to show at once.
    """

    state: CrawlState = CrawlState.RUNNING
    pages: int = 0
    queued: int = 0
    in_flight: int = 0
    seconds: float = 0.0
    errors: dict[str, int] = {}
    refused: dict[str, int] = {}
    cut: int = 0
    accepted: int | None = None
    unchanged: int = 0
    changed: int = 0
    gone: int = 0
    duplicates: int = 0
    reused: int = 0
    sites: tuple[int, ...] = ()
    withheld: int = 0
    slower: float = 1.0
    stopped_because: str = ""
    page_limit: int = 0
    time_limit: float = 0.0
    news: EventRow | None = None


SPENT: Final = ("pages", "time", "empty")
"""Why a finished crawl stopped: its budget is spent, or nothing is left to fetch."""

QUERY: Final = "query"
"""Key of a crawl's settings with its query."""

PREDECESSOR: Final = "predecessor"
"""Key of a crawl's settings with the crawl it continues from."""


RUN: Final = "run"
"""Key of a crawl's settings with the whole run it is part of."""


class RunMark(Struct, frozen=True):
    """A whole run, from training to harvest: its number in the portal, and the pages it may store, 0 for no limit."""

    number: int
    pages: int = 0


class CrawlRow(Struct, frozen=True, kw_only=True):
    """A crawl: its kind, its strategy, the settings it started with and its progress."""

    id: int
    kind: CrawlKind
    strategy: str
    started: float
    settings: dict[str, Any]
    updated: float = 0.0
    progress: Progress = Progress()

    @property
    def predecessor(self) -> int:
        """The id of the crawl that this one continues from, 0 if there is none."""
        # Older portals use another name.
        return int(self.settings.get(PREDECESSOR, self.settings.get("estate", 0)))

    @property
    def run(self) -> RunMark | None:
        """The whole run that this crawl is part of, None if it was started by itself."""
        marked = self.settings.get(RUN)
        return convert(marked, RunMark) if marked else None

    @property
    def query(self) -> str:
        """The query of a crawl for answers, empty for other crawls."""
        return str(self.settings.get(QUERY, ""))

    @property
    def is_over(self) -> bool:
        """Whether the crawl completed its work; an interrupted crawl did not."""
        return self.progress.state is CrawlState.FINISHED or self.progress.stopped_because in SPENT

    @property
    def strategy_parameters(self) -> Mapping[str, Mapping[str, Any]]:
        """Strategy parameters by strategy name, as in the crawl's settings; strategies without any are absent."""
        parameters: Mapping[str, Mapping[str, Any]] = self.settings.get("values", self.settings).get("strategy", {})
        return parameters


class ModelRow(Struct, frozen=True, kw_only=True):
    """A trained classifier: its file name, its kind, wall time, and how often the portal was trained before.

    `report` says what a round of retraining did, or what else the model learned from; it is None for a model trained on
    the owner's pages alone. A model that was `rolled_back` is not used.
    """

    file: str
    kind: str
    at: float
    step: int = 0
    report: dict[str, Any] | None = None
    rolled_back: bool = False


class Batch(Struct, kw_only=True):
    """Everything that one transaction writes; empty parts cost nothing.

    Known duplicates of a page are forgotten when it is written again, as a document or as a duplicate. `judgements` are
    new judgements of stored pages, by id, and `previews` what these pages say about their new topic; ids without a
    stored page are skipped. `replies` are replies to requests, by id; the first reply to each counts.

    `models` are classifiers whose files are complete on disk; a batch with one survives power loss.

    `exchanges` are answers for the archive, by the index of their visit; they are archived, and their positions written
    to the visits, before the transaction. `sites` is what a crawl for websites has read and decided. `outbox` are
    candidates for other shards, `delivered` the ids of those that have arrived.
    """

    crawl: int
    at: float
    urls: list[UrlRow] = []
    moves: list[UrlMove] = []
    prices: list[UrlPrice] = []
    visits: list[VisitRow] = []
    exchanges: dict[int, Kept] = {}
    documents: list[DocumentRow] = []
    judgements: dict[int, Judgement] = {}
    previews: dict[int, str] = {}
    duplicates: list[DuplicateRow] = []
    hosts: list[HostRow] = []
    robots: list[RobotsRow] = []
    events: list[EventRow] = []
    models: list[ModelRow] = []
    replies: dict[int, Reply] = {}
    sites: SiteChanges = SiteChanges()
    strategy_state: dict[str, Any] | None = None
    shard_memory: bytes | None = None
    outbox: list[Letter] = []
    delivered: list[int] = []
    progress: Progress | None = None


class ArchetypeState(StrEnum):
    """The state of an archetype; a rejected one never teaches."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class ArchetypeRow(Struct, frozen=True, kw_only=True):
    """A page proposed to teach a topic, the rule that proposed it, and a person's decision."""

    topic: str
    url: str
    rule: str
    confidence: float
    authority: float
    state: ArchetypeState = ArchetypeState.PROPOSED
    at: float = 0.0


class LogEntry(Struct, frozen=True, kw_only=True):
    """One line of the crawl log: a visit or an event, with its sequence number; `at` is in seconds since 1970."""

    seq: int
    crawl: int
    at: float
    kind: str
    url: str | None = None
    detail: dict[str, Any] = {}

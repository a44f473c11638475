"""The rows of the repository (spec: repository), as plain structs shared by every implementation of the store."""

from enum import StrEnum
from typing import Any, NamedTuple

from msgspec import Struct

from thresher.reasons import Reason
from thresher.types import Candidate, Copy, Judgement, Kept, Priority


class UrlState(StrEnum):
    """Where a URL stands in one crawl.

    A taken URL still counts as waiting until its page is committed. `REFUSED` is for good; a `CUT` URL (queue full,
    too deep, nofollow) comes back when it is found again on a better path.
    """

    WAITING = "waiting"
    DONE = "done"
    REDIRECTED = "redirected"
    FAILED = "failed"
    REFUSED = "refused"
    CUT = "cut"


class CrawlState(StrEnum):
    """Where a crawl stands."""

    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"
    FINISHED = "finished"


class UrlRow(Struct, frozen=True, kw_only=True):
    """A URL of a crawl: a member of the seen-set and, while it waits, of the frontier.

    `id` is `thresher.web.urls.url_id` of the canonical URL; `order` rises with every URL offered and breaks ties;
    `tries` counts failed fetches; `not_before` is wall time in seconds, 0 where it may be fetched at once.
    """

    id: int
    host: str
    candidate: Candidate
    order: int
    state: UrlState = UrlState.WAITING
    reason: Reason | None = None
    tries: int = 0
    not_before: float = 0.0


class UrlMove(Struct, frozen=True):
    """A URL of a crawl changes its state; everything else in its row stays."""

    id: int
    state: UrlState
    reason: Reason | None = None
    tries: int = 0
    not_before: float = 0.0


class UrlPrice(Struct, frozen=True):
    """A waiting URL gets another priority."""

    id: int
    priority: Priority


class Waiting(Struct, frozen=True):
    """The little a frontier keeps in memory of a waiting URL."""

    id: int
    host: str
    queue: str
    priority: Priority
    order: int
    tries: int
    not_before: float


class VisitRow(Struct, frozen=True, kw_only=True):
    """One exchange with the web and its outcome: `fetched`, `unchanged`, `redirected` or `failed`."""

    url_id: int
    url: str
    at: float
    outcome: str
    reason: Reason | None = None
    status: int | None = None
    detail: str = ""
    seconds: float = 0.0
    ip: str = ""
    mime: str = ""
    size: int = 0
    to: str | None = None
    digest: bytes = b""
    etag: str = ""
    last_modified: str = ""
    archive: str = ""
    offset: int = 0


class LinkRow(Struct, frozen=True):
    """A link of a stored page to any URL, in the order of the page; `rel` holds relation tokens joined by spaces."""

    target: int
    target_url: str
    anchor: str
    rel: str = ""


class DocumentRow(Struct, frozen=True, kw_only=True):
    """A page of the portal: the newest good visit of a URL, with its text, terms and out-links.

    `text` is what a reader sees, a line for each passage, and `preview` what it says of its topic; `terms` are stems
    with counts; `origin` is the URL the page was found on; `opt_outs` is what page and site reserve against text mining
    and the training of models; `about` is what a file says of itself (author, created, modified); `archive` is the URL
    of the archive that a member came in, None for all else. `gone` is the wall time at which the page was first found
    to be there no more, None while it is; visits decide about it.
    """

    url_id: int
    url: str
    host: str
    at: float
    title: str
    text: str
    terms: dict[str, int]
    links: list[LinkRow]
    status: int = 200
    mime: str = ""
    encoding: str = ""
    size: int = 0
    ip: str = ""
    port: int = 80
    last_modified: str = ""
    expires: str = ""
    depth: int = 0
    origin: str | None = None
    language: str = ""
    digest: bytes = b""
    simhash: int = 0
    opt_outs: tuple[str, ...] = ()
    judgement: Judgement | None = None
    gone: float | None = None
    about: dict[str, str] = {}
    archive: str | None = None
    preview: str = ""


class KnownPage(Struct, frozen=True, kw_only=True):
    """A page of the portal that may be checked again; `visited` is the wall time of its last visit, good or bad.

    The `copy` of a page that is gone holds no validators and no digest: whatever comes back is news. A page with an
    `archive` is a member of it and can only be had with it.
    """

    url: str
    visited: float
    copy: Copy
    depth: int = 0
    origin: str | None = None
    archive: str | None = None


class Copied(NamedTuple):
    """A stored page by its id and URL, with the digest of its text."""

    id: int
    url: str
    digest: bytes


class LinkedPage(NamedTuple):
    """What link analysis needs to know of a page; topic and confidence are those of its newest judgement."""

    id: int
    host: str
    topic: str | None
    confidence: float | None


class PageScores(NamedTuple):
    """What link analysis says of a page; None where it says nothing."""

    id: int
    hub: float | None
    authority: float | None
    pagerank: float | None


class DuplicateKind(StrEnum):
    """How it is known that a page repeats another: equal texts, texts alike, or the page says so (`rel=canonical`)."""

    DIGEST = "digest"
    NEAR = "near"
    CANONICAL = "canonical"


class DuplicateRow(Struct, frozen=True, kw_only=True):
    """A page repeats another, its original; a page has at most one row of each kind.

    `distance` is the number of bits in which the simhashes differ, `similarity` the share of stems in common, 0 to 1.
    A page of kind `digest` is not stored as a document; the original of kind `canonical` need not be known.
    """

    url_id: int
    url: str
    original: int
    original_url: str
    kind: DuplicateKind
    distance: int = 0
    similarity: float = 1.0


class Alike(Struct, frozen=True):
    """A stored page whose simhash differs from a given one in `distance` bits."""

    url_id: int
    url: str
    distance: int
    terms: dict[str, int]


class MissingPage(Struct, frozen=True, kw_only=True):
    """What an origin answers, with a good status, to an address that cannot exist; empty where it says so properly.

    `digest` is that of the text, `simhash` that of its stems, `words` their number; stems of the address are left out.
    """

    origin: str
    digest: bytes = b""
    simhash: int = 0
    words: int = 0


class HostRow(Struct, frozen=True, kw_only=True):
    """What a crawl knows of a host; `free_at` is wall time, `delay` in seconds; a `closed` host is given up.

    `spent` are its pages without anything new that no new page has made up for; `missing` holds an entry for every
    origin that was asked for a page that cannot exist.
    """

    host: str
    fetched: int = 0
    accepted: int = 0
    failures: int = 0
    closed: Reason | None = None
    free_at: float = 0.0
    delay: float = 0.0
    spent: int = 0
    missing: tuple[MissingPage, ...] = ()


class RobotsRow(Struct, frozen=True, kw_only=True):
    """The robots file of an origin as it was received; `status` 0 means the origin was unreachable."""

    origin: str
    at: float
    expires: float
    status: int
    body: bytes = b""


class EventRow(Struct, frozen=True, kw_only=True):
    """Something that happened to a crawl as a whole: started, paused, cut a queue, adopted settings."""

    at: float
    kind: str
    detail: dict[str, Any] = {}


class Progress(Struct, frozen=True, kw_only=True):
    """The counters of a crawl, written with every batch; `seconds` is crawling time, pauses between runs left out.

    `unchanged`, `changed` and `gone` count pages that the portal had before and that were checked again.
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
    stopped_because: str = ""


class CrawlRow(Struct, frozen=True, kw_only=True):
    """A crawl: its kind, its strategy, the settings it started with and how far it has come."""

    id: int
    kind: str
    strategy: str
    started: float
    settings: dict[str, Any]
    updated: float = 0.0
    progress: Progress = Progress()


class Batch(Struct, kw_only=True):
    """Everything one transaction writes; empty parts cost nothing.

    The duplicates that were known of a page are forgotten when it is written anew, as a document or as a duplicate.
    `judgements` are new ones of pages that are stored already, by id, and `previews` what these say of their new topic;
    ids of no stored page are passed over.

    `exchanges` are answers for the archive, by the index of their visit; they are archived, and their places noted in
    the visits, before the transaction.
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
    requests_done: list[int] = []
    strategy_state: dict[str, Any] | None = None
    trap_memory: bytes | None = None
    progress: Progress | None = None


class ModelRow(Struct, frozen=True, kw_only=True):
    """A trained classifier: the name of its file, its kind, wall time and how often the portal was trained before.

    `report` tells what a round of retraining did, None for a model of a person's pages alone; a model that was
    `rolled_back` is not used.
    """

    file: str
    kind: str
    at: float
    step: int = 0
    report: dict[str, Any] | None = None
    rolled_back: bool = False


class ArchetypeState(StrEnum):
    """What is to become of an archetype; a rejected one never teaches."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class ArchetypeRow(Struct, frozen=True, kw_only=True):
    """A page proposed to teach a topic, by which rule, and what a person says of it."""

    topic: str
    url: str
    rule: str
    confidence: float
    authority: float
    state: ArchetypeState = ArchetypeState.PROPOSED
    at: float = 0.0


class Request(Struct, frozen=True, kw_only=True):
    """A wish left by another process for the engine: `pause`, `continue`, `stop` or `add-url`."""

    id: int
    at: float
    kind: str
    detail: dict[str, Any] = {}


class LogEntry(Struct, frozen=True, kw_only=True):
    """One line of the crawl log: a visit or an event, under its sequence number."""

    seq: int
    crawl: int
    at: float
    kind: str
    url: str | None = None
    detail: dict[str, Any] = {}

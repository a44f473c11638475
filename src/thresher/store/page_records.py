"""Rows for visits and the pages they fetched, with their links and duplicates."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from thresher.reasons import Reason
from thresher.types import Copy, Judgement


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
    """A link from a stored page to any URL, in page order.

    `rel` holds relation tokens separated by spaces; `tag` is the element of the link, or the kind of list it leads to.
    """

    target: int
    target_url: str
    anchor: str
    rel: str = ""
    tag: str = "a"


class DocumentRow(Struct, frozen=True, kw_only=True):
    """A page of the portal: the newest good visit of a URL, with its text, terms and out-links.

    `text` is what a reader sees, one line per passage, and `preview` what it says about its topic. `terms` are stems
    with counts. `layout` says where the links are among the words (store/stored_page.py); it is empty if unknown.
    `origin` is the URL on which the page was found. `robots` is what the page asks of crawlers, and `opt_outs` the
    rights that page and site reserve against text mining and model training. `about` is a file's own metadata (author,
    created, modified). `archive` is the URL of the archive that contains a member, None for other pages. `gone` is the
    wall time when the page was first found missing, None while it exists; visits decide that.
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
    robots: tuple[str, ...] = ()
    opt_outs: tuple[str, ...] = ()
    layout: bytes = b""
    judgement: Judgement | None = None
    gone: float | None = None
    about: dict[str, str] = {}
    archive: str | None = None
    preview: str = ""


class KnownPage(Struct, frozen=True, kw_only=True):
    """A page of the portal that may be rechecked; `visited` is the wall time of its last visit, good or bad.

    The `copy` of a gone page has no validators and no digest, so anything that comes back is new. A page with an
    `archive` is a member of it and can only be fetched with it.
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
    """What link analysis needs to know about a page; topic and confidence are from its newest judgement."""

    id: int
    host: str
    topic: str | None
    confidence: float | None


class LinkedPages(NamedTuple):
    """Several linked pages, column by column."""

    ids: Sequence[int]
    hosts: Sequence[str]
    topics: Sequence[str | None]
    confidences: Sequence[float | None]


class PageCount(NamedTuple):
    """The number of pages with a topic (None for no topic) and MIME type, inside or outside archives."""

    topic: str | None
    mime: str
    member: bool
    pages: int


class ReviewState(StrEnum):
    """What people have said about an accepted page."""

    UNREVIEWED = "unreviewed"
    RIGHT = "right"
    MOVED = "moved"
    IRRELEVANT = "irrelevant"


class AcceptedPage(Struct, frozen=True, kw_only=True):
    """A page that a topic accepted, as shown in lists.

    `topic` is the written path of the topic. `confidence` and `probability` are from the newest judgement;
    `probability` is NaN if the classifier gives none. `found` is the wall time of the first good visit.
    """

    url_id: int
    url: str
    title: str
    topic: str
    confidence: float
    probability: float
    found: float
    state: ReviewState = ReviewState.UNREVIEWED


class PageScores(NamedTuple):
    """The link-analysis scores of a page; None if there is none."""

    id: int
    hub: float | None
    authority: float | None
    pagerank: float | None
    topic_pagerank: float | None = None


class DuplicateKind(StrEnum):
    """Why a page counts as a repeat of another: equal text, similar text, or the page says so (`rel=canonical`)."""

    DIGEST = "digest"
    NEAR = "near"
    CANONICAL = "canonical"


class DuplicateRow(Struct, frozen=True, kw_only=True):
    """A page that repeats another, its original; a page has at most one row of each kind.

    `distance` is the number of bits in which the simhashes differ, `similarity` the share of common stems, 0 to 1. A
    page of kind `digest` is not stored as a document; the original of kind `canonical` may be unknown.
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

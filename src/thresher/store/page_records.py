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
    """A link of a stored page to any URL, in the order of the page.

    `rel` holds relation tokens joined by spaces; `tag` is the element it stood in, or what kind of list it leads to.
    """

    target: int
    target_url: str
    anchor: str
    rel: str = ""
    tag: str = "a"


class DocumentRow(Struct, frozen=True, kw_only=True):
    """A page of the portal: the newest good visit of a URL, with its text, terms and out-links.

    `text` is what a reader sees, a line for each passage, and `preview` what it says of its topic; `terms` are stems
    with counts; `layout` says where the links stand among the words (store/stored_page.py), empty if that is not known;
    `origin` is the URL the page was found on; `robots` is what the page asks of crawlers, `opt_outs` what page and site
    reserve against text mining and the training of models; `about` is what a file says of itself (author, created,
    modified); `archive` is the URL of the archive that a member came in, None for all else. `gone` is the wall time at
    which the page was first found to be there no more, None while it is; visits decide about it.
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


class LinkedPages(NamedTuple):
    """Several linked pages, column by column."""

    ids: Sequence[int]
    hosts: Sequence[str]
    topics: Sequence[str | None]
    confidences: Sequence[float | None]


class PageCount(NamedTuple):
    """How many pages have a topic (None for those without one) and a MIME type, and are members of archives or not."""

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
    """A page that a topic has accepted, as lists show it.

    `topic` is the written path of the topic. `confidence` and `probability` are those of the newest judgement;
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
    """What link analysis says of a page; None if it says nothing."""

    id: int
    hub: float | None
    authority: float | None
    pagerank: float | None
    topic_pagerank: float | None = None


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

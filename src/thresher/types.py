"""The data types of the crawler: plain, frozen, and the same in every process.

All are msgspec structs, exchanged between processes as MessagePack and never as pickles.
"""

from typing import Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from thresher.reasons import Reason, Unmet

Priority: TypeAlias = tuple[float, ...]
"""Compared from left to right, larger is better; a strategy always uses tuples of the same length."""

PriceMeaning: TypeAlias = Literal["log-odds", "shares", "nothing"]
"""What the first number of a priority means, beyond its order."""

Memo: TypeAlias = str
"""What a page passes on to the pages it links to: JSON of at most `MEMO_BYTES` bytes, empty for nothing.

Only the strategy that wrote it knows its type (`strategies/memos.py`).
"""

Features = TypeVar("Features")
"""The features that a strategy extracts from a page, in its own type."""

MEMO_BYTES = 1024


class Copy(Struct, frozen=True, kw_only=True):
    """The stored copy of a page, for a conditional fetch.

    `etag` and `last_modified` come from the server, empty if it sent none; `digest` is that of the text, empty if the
    copy is no longer usable; `at` is wall time in seconds, 0 if unknown.
    """

    etag: str = ""
    last_modified: str = ""
    digest: bytes = b""
    at: float = 0.0


class Candidate(Struct, frozen=True, kw_only=True):
    """A URL waiting to be fetched.

    `url` is in canonical form; `queue` names the queue it waits in (a topic, a site, a layer); `depth` counts hops from
    the seeds; `hops` counts the redirects that led here; `copy` is set if the portal already has the page and only
    checks whether it has changed; `lists` is 0 for a page, and for a list of addresses, such as a sitemap, the number
    of list levels allowed, including itself.

    >>> Candidate(url="http://a.test/", priority=(1.0,)).depth
    0
    """

    url: str
    priority: Priority
    queue: str = ""
    depth: int = 0
    parent: str | None = None
    anchor: str = ""
    memo: Memo = ""
    hops: int = 0
    copy: Copy | None = None
    lists: int = 0


class Fetched(Struct, frozen=True, kw_only=True, tag=True, weakref=True):
    """A complete answer with status 200.

    `headers` are the raw header fields in order; `raw` the body as received, `body` the decoded body (the same object
    if it has no content coding); `at` is wall time in seconds since the epoch, `seconds` the time the exchange took.
    A large body may still have its content `coding`: its reader decodes it, to at most `limit` bytes.
    """

    url: str
    status: int
    headers: list[tuple[str, str]]
    body: bytes
    raw: bytes
    mime: str
    at: float
    seconds: float = 0.0
    ip: str = ""
    http_version: str = "1.1"
    request: list[tuple[str, str]] = []
    coding: str = ""
    limit: int = 0

    def header(self, name: str) -> str | None:
        """Return the first value of a header field, or None if it is absent."""
        return first_value(self.headers, name)


class Redirected(Struct, frozen=True, kw_only=True, tag=True):
    """A redirect; `to` is absolute and not yet canonical or checked.

    `headers`, `raw`, `http_version` and `request` are as in `Fetched`; `raw` is empty if the body was skipped.
    """

    url: str
    to: str
    status: int
    at: float
    seconds: float = 0.0
    ip: str = ""
    headers: list[tuple[str, str]] = []
    raw: bytes = b""
    http_version: str = "1.1"
    request: list[tuple[str, str]] = []


class Failed(Struct, frozen=True, kw_only=True, tag=True):
    """A fetch or reading that yielded no page; `retry_after` is in seconds, if the server sent it."""

    url: str
    reason: Reason
    at: float
    detail: str = ""
    status: int | None = None
    retry_after: float | None = None
    seconds: float = 0.0
    ip: str = ""


class Unchanged(Struct, frozen=True, kw_only=True, tag=True):
    """An answer with status 304: the candidate's stored copy is still current.

    The other fields are as in `Fetched`; such an answer has no body.
    """

    url: str
    at: float
    copy: Copy
    headers: list[tuple[str, str]] = []
    raw: bytes = b""
    status: int = 304
    seconds: float = 0.0
    ip: str = ""
    http_version: str = "1.1"
    request: list[tuple[str, str]] = []

    def header(self, name: str) -> str | None:
        """Return the first value of a header field, or None if it is absent."""
        return first_value(self.headers, name)


def first_value(headers: list[tuple[str, str]], name: str) -> str | None:
    """Return the first value of a header field, or None if it is absent.

    >>> first_value([("ETag", "1"), ("etag", "2")], "etag")
    '1'
    """
    wanted = name.lower()
    return next((value for key, value in headers if key.lower() == wanted), None)


Answer: TypeAlias = Fetched | Redirected | Failed | Unchanged

Kept: TypeAlias = Fetched | Redirected | Unchanged
"""The answers that are archived."""


class Link(Struct, frozen=True):
    """A link of a page.

    `url` is absolute and canonical. `position` is the index in `ParsedPage.words` at which the anchor text starts, and
    `length` its number of words. `spans` are the word spans (start, end) of the enclosing elements from the innermost
    outwards, so a text window or a tag tree is a slice of the words. Bit n of `presentational` is set if all elements
    of span n only change how text looks. `rel` has the link's relation tokens in lower case, and `tag` the element it
    was in. `path` names the innermost enclosing elements that structure the page, from the outside inwards.
    """

    url: str
    anchor: str
    position: int
    length: int
    spans: tuple[tuple[int, int], ...] = ()
    rel: tuple[str, ...] = ()
    tag: str = "a"
    presentational: int = 0
    path: str = ""


class ParsedPage(Struct, frozen=True, kw_only=True, tag=True):
    """A parsed page: its `words` as written, in reading order, their `digest`, and its stems with counts (`terms`).

    `text` is the visible text as written, one line per passage. `language` is the detected language, empty if unknown;
    `simhash` is 0 if there are no terms.
    """

    url: str
    title: str
    words: list[str]
    links: list[Link]
    text: str = ""
    terms: dict[str, int] = {}
    language: str = ""
    digest: bytes = b""
    simhash: int = 0
    encoding: str = ""
    robots: tuple[str, ...] = ()
    """Robots directives of page and headers, in lower case: `nofollow`, `noindex`, ..."""
    opt_outs: tuple[str, ...] = ()
    """Opt-outs of page and headers from text mining and model training."""
    about: dict[str, str] = {}
    """Metadata of a file, if any: `author`, and the ISO dates `created` and `modified`."""
    archive: str | None = None
    """The URL of the archive that contains it; None for a page with its own address."""


class Member(Struct, frozen=True, kw_only=True):
    """A document in an archive: its address `ARCHIVE!/NAME`, its type, and its page or the reason why there is none.

    `size` is in bytes, 0 if unknown.
    """

    url: str
    page: ParsedPage | Failed
    mime: str = ""
    size: int = 0


class Opened(Struct, frozen=True, kw_only=True):
    """An opened archive: its documents in order, and a note about what was left out."""

    members: list[Member]
    note: str = ""


class Rejection(Struct, frozen=True, kw_only=True):
    """Why every topic rejected a page: the first `rule` that it failed for the closest `topic`.

    `needed` is the threshold, or the required number of features or indicators, and `found` how many the page has; None
    for the threshold, where the confidence says it, and for languages.
    """

    rule: Unmet
    topic: str
    needed: float = 0.0
    found: int | None = None


class Judgement(Struct, frozen=True, kw_only=True):
    """A classifier's verdict on a page.

    `topic` is None if every topic was rejected; `confidence` is signed and normalised, `probability` calibrated; `path`
    leads from the root to the topic; `evidence` are the (word, weight) pairs with the most influence; `model` is the
    version of the model. The confidence is the sum of all word weights minus `border`, the bias, which is None for
    models that are not additive. `rejection` says why there is no topic; None if unknown.
    """

    topic: str | None
    confidence: float
    probability: float
    path: tuple[str, ...] = ()
    evidence: tuple[tuple[str, float], ...] = ()
    model: str = ""
    border: float | None = None
    rejection: Rejection | None = None


class Reading(Struct, Generic[Features], frozen=True, kw_only=True):
    """The input of `rank`: the candidate as taken from the queue, and its page.

    `links` are those that may be followed, without their spans; `features` is what the strategy's `read` returned for
    the page with these links, None for start pages and lists, which are not read.
    """

    candidate: Candidate
    links: list[Link]
    judgement: Judgement | None = None
    features: Features | None = None

"""The data that travels through the crawler: plain, frozen, and the same in every process.

All of these are msgspec structs, so that they cross process borders as MessagePack and never as pickles.
"""

from typing import Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from thresher.reasons import Reason, Unmet

Priority: TypeAlias = tuple[float, ...]
"""Compared from left to right, larger is better; one strategy always gives tuples of one length."""

PriceMeaning: TypeAlias = Literal["log-odds", "nothing"]
"""What the first number of a priority says of a page's worth, if it is more, or less, than an order."""

Memo: TypeAlias = str
"""What a page hands down to the pages it links to: JSON of at most `MEMO_BYTES` bytes, empty for nothing.

Only the strategy that wrote it knows its type (`strategies/memos.py`).
"""

Features = TypeVar("Features")
"""What a strategy reads of a page, in a type of its own."""

MEMO_BYTES = 1024


class Copy(Struct, frozen=True, kw_only=True):
    """The copy of a page at hand, for a fetch that wants the page only if it has changed.

    `etag` and `last_modified` are what the server said of it, empty if it said nothing; `digest` is that of its text,
    empty if it is of no use any more; `at` is wall time in seconds, 0 if it is not known.
    """

    etag: str = ""
    last_modified: str = ""
    digest: bytes = b""
    at: float = 0.0


class Candidate(Struct, frozen=True, kw_only=True):
    """A URL that waits to be fetched.

    `url` is in canonical form; `queue` names the queue it waits in (a topic, a site, a layer); `depth` counts
    hops from the seeds; `hops` counts the redirects that led here; `copy` is there where the portal has the page
    already and only wants to know whether it has changed; `lists` is 0 for a page, and for a list of addresses, such as
    a sitemap, how many levels of lists there may be, itself included.

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

    `headers` are the raw header fields in order; `raw` the body as received, `body` the body with its content codings
    undone (the same object if there were none); `at` is wall time in seconds since the epoch, `seconds` the time the
    exchange took.
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

    def header(self, name: str) -> str | None:
        """Give the first value of a header field, or None if it is absent."""
        return first_value(self.headers, name)


class Redirected(Struct, frozen=True, kw_only=True, tag=True):
    """An answer that sends the crawler elsewhere; `to` is absolute and not yet canonical or checked.

    `headers`, `raw`, `http_version` and `request` are as in `Fetched`; `raw` is empty if the body was not worth waiting
    for.
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
    """A fetch or a reading that gave no page; `retry_after` is in seconds, where the server asked for it."""

    url: str
    reason: Reason
    at: float
    detail: str = ""
    status: int | None = None
    retry_after: float | None = None
    seconds: float = 0.0
    ip: str = ""


class Unchanged(Struct, frozen=True, kw_only=True, tag=True):
    """An answer with status 304: the copy at hand, which the candidate carried, is still the newest.

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
        """Give the first value of a header field, or None if it is absent."""
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
"""The answers that an archive keeps."""


class Link(Struct, frozen=True):
    """A link of a page.

    `url` is absolute and canonical; `position` is the index in `Page.words` at which the anchor text starts and
    `length` its number of words; `spans` are the word spans (start, end) of the enclosing elements from the
    innermost outwards, so that a text window or a tag tree is a slice of the words; bit n of `presentational` is set
    where all elements of span n only change the look of text; `rel` holds the link's relation tokens in lower case,
    `tag` the element it stood in.
    """

    url: str
    anchor: str
    position: int
    length: int
    spans: tuple[tuple[int, int], ...] = ()
    rel: tuple[str, ...] = ()
    tag: str = "a"
    presentational: int = 0


class Page(Struct, frozen=True, kw_only=True, tag=True):
    """A read page: `words` in reading order as written, `terms` its stems with counts, `digest` of its words.

    `text` is what a reader sees, as it was written, with a line for each passage. `language` is the one it was found to
    be in, empty if that is unknown; `simhash` is 0 if it has no terms.
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
    """What page and headers ask of this crawler, in lower case: `nofollow`, `noindex`, ..."""
    opt_outs: tuple[str, ...] = ()
    """What page and headers reserve against text mining and the training of models."""
    about: dict[str, str] = {}
    """What a file says of itself, if it does: `author`, and when it was `created` and `modified`, in ISO form."""
    archive: str | None = None
    """The URL of the archive that it is a document of; None for a page with an address of its own."""


class Member(Struct, frozen=True, kw_only=True):
    """A document in an archive: its address, `ARCHIVE!/NAME`, its type, and the page it gave or why it gave none.

    `size` is in bytes, 0 if it is not known.
    """

    url: str
    page: Page | Failed
    mime: str = ""
    size: int = 0


class Opened(Struct, frozen=True, kw_only=True):
    """An archive that was opened: its documents in its order, and a note about what was left out."""

    members: list[Member]
    note: str = ""


class Rejection(Struct, frozen=True, kw_only=True):
    """Why every topic rejected a page: the first `rule` that it did not meet for `topic`, which it came nearest to.

    `needed` is the threshold, or the number of features or indicators that are asked for, and `found` how many of
    these it has; None for the threshold, where the confidence says it, and for languages, which are not counted.
    """

    rule: Unmet
    topic: str
    needed: float = 0.0
    found: int | None = None


class Judgement(Struct, frozen=True, kw_only=True):
    """What a classifier said of a page.

    `topic` is None if every topic was rejected; `confidence` is signed and normalised, `probability` calibrated; `path`
    leads from the root to the topic; `evidence` are the (word, weight) pairs that say most; `model` is the version that
    judged. `border` is what the words must outweigh: the weights of all words, less the border, are the confidence;
    None for models that do not add up. `rejection` says why if there is no topic, and is None if that is not known.
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
    """All that a strategy may rank from: the candidate as it was taken, and what its page turned out to be.

    `links` are those that are followed, without their spans; `features` are what the strategy's `read` returned when it
    was shown the page with these links, None for start pages and lists, which nobody has read.
    """

    candidate: Candidate
    links: list[Link]
    judgement: Judgement | None = None
    features: Features | None = None

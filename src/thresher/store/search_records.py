"""What the search index reads from the repository, and saved searches."""

from typing import NamedTuple

from msgspec import Struct


class SearchablePage(NamedTuple):
    """What is known about a page besides its text, according to its newest judgement.

    `searchable` is False for a page that is gone or asks not to be indexed. `modified` is the Last-Modified header as
    sent. `topic` is None for a rejected page; `confidence`, `probability` and `model` are None if the page was never
    judged. `state` is its review state.
    """

    seq: int
    id: int
    host: str
    at: float
    modified: str
    mime: str
    size: int
    language: str
    digest: bytes
    searchable: bool
    topic: str | None
    confidence: float | None
    probability: float | None
    model: str | None
    state: str


class PageText(NamedTuple):
    """The words of a page: `terms` are its stems with counts, including those of the title."""

    url: str
    title: str
    text: str
    language: str
    terms: dict[str, int]


class PageHead(NamedTuple):
    """What a list of results shows of a page; `robots` is what the page asks of crawlers."""

    url: str
    title: str
    text: str
    preview: str
    language: str
    robots: tuple[str, ...]


class SavedSearch(Struct, frozen=True, kw_only=True):
    """A search saved under a name; `rank` is its weights as typed, empty for the default.

    `seq` is the sequence number of the newest change when the person last looked, `looked` the wall time of that.
    """

    name: str
    query: str
    rank: str = ""
    at: float = 0.0
    looked: float = 0.0
    seq: int = 0


class SearchFeedback(Struct, frozen=True, kw_only=True):
    """What a person found relevant among the results of a query, and the weights fitted to it.

    `id` is 0 until the feedback is written.
    """

    id: int = 0
    profile: str
    query: str
    at: float
    weights: dict[str, float]
    relevant: tuple[str, ...] = ()
    irrelevant: tuple[str, ...] = ()

"""What the search index reads of the repository."""

from typing import NamedTuple


class SearchablePage(NamedTuple):
    """What is known of a page besides its text; of the newest judgement where there are several.

    `searchable` is False for a page that is gone or asks not to be indexed. `modified` is the Last-Modified header as
    it was sent. `topic` is None for a rejected page; `confidence`, `probability` and `model` are None where the page
    was never judged. `state` is what a person said of it.
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
    """The words of a page: `terms` are its stems with their counts, those of the title among them."""

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

"""The protocol of the page tables: documents, duplicates, links and link scores."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from thresher.store.page_records import (
    AcceptedPage,
    Alike,
    Copied,
    DocumentRow,
    DuplicateKind,
    DuplicateRow,
    KnownPage,
    LinkedPage,
    LinkedPages,
    PageCount,
    PageScores,
    VisitRow,
)
from thresher.types import Judgement


class Documents(Protocol):
    """The pages of the portal."""

    def document(self, url_id: int) -> DocumentRow | None:
        """Return a page with its text, terms, links and judgement, or None if the portal has no such page."""

    def visits(self, url_id: int) -> list[VisitRow]:
        """Return all visits of a URL in all crawls, oldest first."""

    def terms(self, ids: Sequence[int]) -> dict[int, dict[str, int]]:
        """Return the stems with their counts of the stored pages among some ids."""

    def inlinks(self, url_id: int) -> list[tuple[str, str]]:
        """Return (URL of the source page, anchor text) of every stored link to a URL, oldest page first."""

    def judgement(self, url_id: int) -> Judgement | None:
        """Return the newest judgement of a page, or None if it was never judged."""

    def urls(self) -> Iterator[str]:
        """Yield the URL of every stored page, in the order of the ids."""

    def counts(self) -> list[PageCount]:
        """Return how many pages there are of each topic and kind, those that are gone left out; the most first."""

    def due(self, before: float, limit: int = 0) -> Iterator[KnownPage]:
        """Yield the pages last visited before a wall time, the longest ago first; 0 gives all of them."""

    def members(self, archive: str) -> list[Copied]:
        """Return the stored members of an archive that are not gone, in the order of the ids."""

    def rejected(self, limit: int) -> Iterator[str]:
        """Yield the URLs of at most `limit` pages that every topic rejected when last judged, least confident first."""

    def accepted(self, topic: str | None = None, *, limit: int = 0, offset: int = 0) -> Iterator[AcceptedPage]:
        """Yield the pages that a topic or one below it has accepted, the most confident first.

        `topic` is a written path, None for all topics; a limit of 0 gives all. Left out are pages that are gone and
        pages that ask not to be indexed.
        """

    def count_accepted(self, topic: str | None = None) -> int:
        """Return how many pages `accepted` gives without a limit."""


class Duplicates(Protocol):
    """Pages that repeat others, and the look-ups by which they are found."""

    def same_text(self, digest: bytes) -> list[tuple[int, str]]:
        """Return (id, URL) of the stored pages with a digest, oldest first; none for the empty digest, no gone ones."""

    def alike(self, simhash: int, within: int) -> list[Alike]:
        """Return the stored pages, not gone, whose simhash differs in at most `within` (0 to 3) bits; nearest first."""

    def of(self, url_id: int) -> list[DuplicateRow]:
        """Return what a page repeats, in the order of the kinds' names; empty if it is no duplicate."""

    def pairs(self, kind: DuplicateKind) -> Iterator[tuple[int, int]]:
        """Yield (id, id of its original) of all duplicates of a kind, in the order of the ids."""


class LinkGraph(Protocol):
    """The links of the portal: around some pages, and all of them for link analysis.

    What is about all pages comes in blocks, each a read of its own, so that a crawl can continue: what it changes
    meanwhile may be seen or not, and a link may come twice.
    """

    def pages(self) -> Iterator[list[LinkedPage]]:
        """Yield the pages that are not gone, in the order of the ids."""

    def page_columns(self) -> Iterator[LinkedPages]:
        """Yield the same column by column, for whoever reads millions of them."""

    def edges(self) -> Iterator["array[int]"]:
        """Yield the links of all stored pages as signed 64-bit numbers: source, target, source, target, …"""

    def outlinks(self, ids: Sequence[int]) -> dict[int, list[str]]:
        """Return where the stored pages among some ids link to: each URL once, in the order of the page."""

    def inlinks(self, ids: Sequence[int], most: int) -> dict[int, list[tuple[int, str]]]:
        """Return (id, URL) of at most `most` stored pages that link to each id, those of the smallest ids in order.

        No id is left out: it has an empty list if no page links to it.
        """

    def redirects(self) -> Iterator[tuple[int, int]]:
        """Yield (id, id of where it led) of every URL that was found to redirect, by its newest redirect."""

    def entries(self, crawls: Sequence[int]) -> Iterator[tuple[int, int | None]]:
        """Yield the URLs that some crawls were given, and the stored pages that they found on no stored page.

        Each comes as its id and the id of what it was found on, a sitemap for example; None for what was given.
        """


class Scores(Protocol):
    """What link analysis says of pages; it stays when a page is written again."""

    def keep(self, scores: Iterable[PageScores]) -> None:
        """Write scores in small transactions, with pauses for other writers; ids of no stored page are passed over."""

    def of(self, ids: Sequence[int]) -> dict[int, PageScores]:
        """Return the scores of the stored pages among some ids."""

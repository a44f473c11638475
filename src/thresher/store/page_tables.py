"""The protocol of the page tables: documents, duplicates, links and link scores."""

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
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
        """Return stems with counts by page id; ids without a stored page are absent."""

    def inlinks(self, url_id: int) -> list[tuple[str, str]]:
        """Return (URL of the source page, anchor text) of every stored link to a URL, oldest page first."""

    def judgement(self, url_id: int) -> Judgement | None:
        """Return the newest judgement of a page, or None if it was never judged."""

    def urls(self) -> Iterator[str]:
        """Yield the URL of every stored page, in order of id."""

    def counts(self) -> list[PageCount]:
        """Return the number of pages of each topic and kind, without gone pages, largest first."""

    def due(self, before: float, limit: int = 0) -> Iterator[KnownPage]:
        """Yield the pages last visited before a wall time, longest ago first; a limit of 0 yields all."""

    def members(self, archive: str) -> list[Copied]:
        """Return the stored members of an archive that are not gone, in order of id."""

    def rejected(self, limit: int) -> Iterator[str]:
        """Yield the URLs of at most `limit` pages that every topic rejected, least confident first."""

    def accepted(self, topic: str | None = None, *, limit: int = 0, offset: int = 0) -> Iterator[AcceptedPage]:
        """Yield the pages that a topic or one below it accepted, most confident first.

        `topic` is a written path, None for all topics; a limit of 0 yields all. Pages that are gone or ask not to be
        indexed are left out.
        """

    def count_accepted(self, topic: str | None = None) -> int:
        """Return how many pages `accepted` yields without a limit."""


class Duplicates(Protocol):
    """Pages that repeat others, and the look-ups that find them."""

    def same_text(self, digest: bytes) -> list[tuple[int, str]]:
        """Return (id, URL) of the stored pages with a digest, not gone, oldest first; none for the empty digest."""

    def alike(self, simhashes: Collection[int], within: int) -> dict[int, list[Alike]]:
        """Return, for each simhash, the stored pages, not gone, that differ in at most `within` (0 to 3) bits.

        The nearest pages come first, then the oldest. A simhash without such pages is left out.
        """

    def of(self, url_id: int) -> list[DuplicateRow]:
        """Return what a page repeats, ordered by kind; empty if it is not a duplicate."""

    def pairs(self, kind: DuplicateKind) -> Iterator[tuple[int, int]]:
        """Yield (id, id of the original) of all duplicates of a kind, in order of id."""


class LinkGraph(Protocol):
    """The links of the portal: around some pages, or all of them for link analysis.

    Methods about all pages yield blocks, each from a separate read, so a crawl can go on meanwhile: its changes may or
    may not be seen, and a link may come twice.
    """

    def pages(self) -> Iterator[list[LinkedPage]]:
        """Yield the pages that are not gone, in order of id."""

    def page_columns(self) -> Iterator[LinkedPages]:
        """Yield the same column by column, for readers of millions of pages."""

    def edges(self) -> Iterator["array[int]"]:
        """Yield the links of all stored pages as signed 64-bit numbers: source, target, source, target, …"""

    def outlinks(self, ids: Sequence[int]) -> dict[int, list[str]]:
        """Return the URLs that stored pages link to, by page id: each URL once, in page order."""

    def inlinks(self, ids: Sequence[int], most: int) -> dict[int, list[tuple[int, str]]]:
        """Return (id, URL) of at most `most` stored pages that link to each id, smallest ids first.

        Every id is present, with an empty list if no page links to it.
        """

    def redirects(self) -> Iterator[tuple[int, int]]:
        """Yield (id, target id) of every URL that redirects, according to its newest redirect."""

    def entries(self, crawls: Sequence[int]) -> Iterator[tuple[int, int | None]]:
        """Yield the URLs that crawls were given, and stored pages that they did not find on a stored page.

        Each comes with the id of its source, e.g. a sitemap, or None if it was given.
        """


class Scores(Protocol):
    """Link-analysis results of pages; they survive when a page is written again."""

    def keep(self, scores: Iterable[PageScores]) -> None:
        """Write scores in small transactions, with pauses for other writers; ids without a stored page are skipped."""

    def of(self, ids: Sequence[int]) -> dict[int, PageScores]:
        """Return link scores by page id; ids without a stored page are absent."""

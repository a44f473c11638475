"""The protocol of the search tables: what the index reads, and saved searches."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from thresher.store.page_records import PageScores
from thresher.store.search_records import PageHead, PageText, SavedSearch, SearchablePage, SearchFeedback


class SearchFeed(Protocol):
    """What the search index reads. Methods about all pages yield blocks, each from a separate read."""

    def pages(self, since: int) -> Iterator[list[SearchablePage]]:
        """Yield the pages written, judged or found gone after a sequence number, in order."""

    def texts(self, ids: Sequence[int]) -> dict[int, PageText]:
        """Return the words of pages by id; ids without a stored page are absent."""

    def heads(self, ids: Sequence[int]) -> dict[int, PageHead]:
        """Return what results show of pages, by id; ids without a stored page are absent."""

    def anchors(self, id_: int, most: int) -> dict[str, int]:
        """Return the texts of at most `most` links to a page, with counts, taking sources with small ids first."""

    def targets(self, ids: Sequence[int]) -> dict[int, list[int]]:
        """Return the ids that pages link to, by page id, each once and in order; pages without links are absent."""

    def scores(self) -> Iterator[list[PageScores]]:
        """Yield the link scores of all pages in order of id."""

    def scores_version(self) -> int:
        """Return a number that changes whenever link analysis writes scores."""


class Searches(Protocol):
    """Saved searches and feedback on results. Everything written is durable at once."""

    def save(self, search: SavedSearch) -> None:
        """Write a search, replacing one with the same name."""

    def saved(self) -> list[SavedSearch]:
        """Return the saved searches, in order of name."""

    def forget(self, name: str) -> bool:
        """Delete a saved search; return False if there is none with that name."""

    def add_feedback(self, feedback: SearchFeedback) -> int:
        """Write what a person found relevant and return its id."""

    def feedback(self) -> list[SearchFeedback]:
        """Return all feedback, oldest first."""

    def forget_feedback(self, ids: Sequence[int]) -> int:
        """Delete feedback and return how many rows were there."""

"""The protocol of the search tables: what the index reads, and saved searches."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from thresher.store.page_records import PageScores
from thresher.store.search_records import PageHead, PageText, SavedSearch, SearchablePage, SearchFeedback


class SearchFeed(Protocol):
    """What the search index reads. Whatever is about all pages comes in blocks, each a read of its own."""

    def pages(self, since: int) -> Iterator[list[SearchablePage]]:
        """Yield the pages that were written, judged or found gone after a sequence number, in order."""

    def texts(self, ids: Sequence[int]) -> dict[int, PageText]:
        """Return the words of the stored pages among some ids."""

    def heads(self, ids: Sequence[int]) -> dict[int, PageHead]:
        """Return what results show of the stored pages among some ids."""

    def anchors(self, id_: int, most: int) -> dict[str, int]:
        """Return the texts of at most `most` links to a page, each with its count; those of the smallest ids count."""

    def targets(self, ids: Sequence[int]) -> dict[int, list[int]]:
        """Return the ids that the stored pages among some ids link to, each once and in order; none for no links."""

    def scores(self) -> Iterator[list[PageScores]]:
        """Yield the link scores of all pages in the order of the ids."""

    def scores_version(self) -> int:
        """Return a number that changes whenever link analysis has written scores."""


class Searches(Protocol):
    """What people keep of their searches. Everything written is durable at once."""

    def save(self, search: SavedSearch) -> None:
        """Write a search in place of one with the same name."""

    def saved(self) -> list[SavedSearch]:
        """Return the saved searches, in the order of their names."""

    def forget(self, name: str) -> bool:
        """Delete a saved search; False if there is none of that name."""

    def add_feedback(self, feedback: SearchFeedback) -> int:
        """Write what a person found relevant and return its id."""

    def feedback(self) -> list[SearchFeedback]:
        """Return all feedback, oldest first."""

    def forget_feedback(self, ids: Sequence[int]) -> int:
        """Delete feedback, and return how much of it was there."""

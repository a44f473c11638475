"""Reviewing: a strategy prices anew what waits, every so many pages, and its state is saved."""

from typing import Any

from thresher.crawl.journal import Journal
from thresher.protocols import Remembers, Reviews, ReviewsAtItsPace, Strategy, View
from thresher.shard.shard import Shard


class Reviewing:
    """Knows when a strategy's next review and next saved state are due; `every` counts pages, `begun` those so far.

    Reviews are due at multiples, so that they come at the same pages whether or not there was a stop.
    """

    def __init__(self, strategy: Strategy, every: int, begun: int) -> None:
        # Asking an object for its abilities takes long, and they do not change.
        self._reviews = strategy if isinstance(strategy, Reviews) else None
        self._remembers = strategy if isinstance(strategy, Remembers) else None
        self._save_every = every
        self._review_every = strategy.review_every if isinstance(strategy, ReviewsAtItsPace) else every
        self._next_save = begun + every
        self._next_review = self._after(begun)

    def hasten(self, *, review: bool = False, save: bool = False) -> None:
        """Let a review or a saved state be due at once."""
        self._next_review = 0 if review else self._next_review
        self._next_save = 0 if save else self._next_save

    def review(self, pages: int, shard: Shard, view: View, journal: Journal) -> None:
        """Have what waits priced anew where it is time."""
        if pages < self._next_review:
            return
        self._next_review = self._after(pages)
        if self._reviews is not None:
            moved = shard.reprice(self._reviews.review(view))
            journal.event("reviewed", {"repriced": moved})

    def state(self, pages: int, *, at_once: bool = False) -> dict[str, Any] | None:
        """Return the strategy's state where it is to be saved, else None."""
        if self._remembers is None or not (at_once or pages >= self._next_save):
            return None
        self._next_save = pages + self._save_every
        return self._remembers.state()

    def _after(self, pages: int) -> int:
        return (pages // self._review_every + 1) * self._review_every

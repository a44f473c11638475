"""Reordering: a strategy prices anew what waits, every so many pages, and its state is saved."""

from typing import Any

from thresher.crawl.journal import Journal
from thresher.protocols import Remembers, Reorders, ReordersAtItsPace, Strategy, View
from thresher.shard.protocol import Shard


class Reordering:
    """Knows when a strategy's next reordering and next saved state are due; `every` counts pages, `begun` those so far.

    Reorderings are due at multiples, so that they come at the same pages whether or not there was a stop.
    """

    def __init__(self, strategy: Strategy, every: int, begun: int) -> None:
        # Asking an object for its abilities takes long, and they do not change.
        self._reorders = strategy if isinstance(strategy, Reorders) else None
        self._remembers = strategy if isinstance(strategy, Remembers) else None
        self._save_every = every
        self._reorder_every = strategy.reorder_every if isinstance(strategy, ReordersAtItsPace) else every
        self._next_save = begun + every
        self._next_reorder = self._after(begun)

    def hasten(self, *, reorder: bool = False, save: bool = False) -> None:
        """Let a reordering or a saved state be due at once."""
        self._next_reorder = 0 if reorder else self._next_reorder
        self._next_save = 0 if save else self._next_save

    def reorder(self, pages: int, shard: Shard, view: View, journal: Journal) -> None:
        """Have what waits priced anew where it is time."""
        if pages < self._next_reorder:
            return
        self._next_reorder = self._after(pages)
        if self._reorders is not None:
            moved = shard.reprice(list(self._reorders.reorder(view)))
            journal.event("reordered", {"repriced": moved})

    def state(self, pages: int, *, at_once: bool = False) -> dict[str, Any] | None:
        """Return the strategy's state where it is to be saved, else None."""
        if self._remembers is None or not (at_once or pages >= self._next_save):
            return None
        self._next_save = pages + self._save_every
        return self._remembers.state()

    def _after(self, pages: int) -> int:
        return (pages // self._reorder_every + 1) * self._reorder_every

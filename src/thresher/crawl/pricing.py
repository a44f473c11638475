"""Calls the strategy to score links and rescore the queue, and reports its errors as its own."""

from typing import Any

from thresher.crawl.journal import Journal
from thresher.errors import PluginError
from thresher.faults import StrategyFailed
from thresher.protocols import (
    Consults,
    PageClassifier,
    Remembers,
    Reorders,
    ReordersAtItsPace,
    SavesAtItsPace,
    Strategy,
    TermScorer,
    View,
)
from thresher.shard.protocol import Shard
from thresher.store.event_kinds import EventKind
from thresher.types import Candidate, Reading


def ranked(strategy: Strategy, reading: Reading[Any], view: View) -> list[Candidate]:
    """Return a strategy's candidates for a page; raise PluginError if it fails or returns something else."""
    name = type(strategy).__name__
    try:
        found = list(strategy.rank(reading, view))
    except PluginError:
        raise
    except Exception as error:
        where = reading.candidate.url or "the start pages"
        raise PluginError(
            f"The strategy {name} failed to rank {where}: {error!r}.", "Fix its rank method.", StrategyFailed()
        ) from error
    for candidate in found:
        if not (
            isinstance(candidate, Candidate) and _is_priority(candidate.priority) and isinstance(candidate.memo, str)
        ):
            raise PluginError(
                f"The strategy {name} returned an invalid candidate: {candidate!r:.120}.",
                "rank must return candidates with a tuple of numbers as priority and a string as memo.",
                StrategyFailed(),
            )
    return found


def _is_priority(value: object) -> bool:
    """Return whether a value can be used as a priority; NaN cannot be ordered."""
    return isinstance(value, tuple) and all(isinstance(part, int | float) and part == part for part in value)


class Reordering:
    """Knows when the next reordering and the next saved state are due; `every` counts pages, `begun` those so far.

    Reorderings are due at multiples, so they happen at the same pages whether or not the crawl was stopped.
    """

    def __init__(
        self, strategy: Strategy, every: int, begun: int, *, shard: Shard, view: View, journal: Journal
    ) -> None:
        self._shard = shard
        self._view = view
        self._journal = journal
        # Protocol checks are slow, and their results do not change.
        self._reorders = strategy if isinstance(strategy, Reorders) else None
        self._remembers = strategy if isinstance(strategy, Remembers) else None
        self._consults = strategy if isinstance(strategy, Consults) else None
        self._save_every = strategy.save_every if isinstance(strategy, SavesAtItsPace) else every
        self._reorder_every = strategy.reorder_every if isinstance(strategy, ReordersAtItsPace) else every
        self._next_save = begun + self._save_every
        self._next_reorder = self._after(begun)

    def save_soon(self) -> None:
        """Make saving the state due at once."""
        self._next_save = 0

    def use(self, classifier: PageClassifier, pages: int) -> None:
        """Give the strategy a new classifier and rescore the waiting URLs, which the old one scored."""
        if self._consults is not None and isinstance(classifier, TermScorer):
            self._consults.consult(classifier)
        self._next_reorder = 0
        self.reorder(pages)

    def reorder(self, pages: int) -> None:
        """Rescore the queue if it is due."""
        if pages < self._next_reorder:
            return
        self._next_reorder = self._after(pages)
        if self._reorders is not None:
            moved = self._shard.reprice(list(self._reorders.reorder(self._view)))
            self._journal.event(EventKind.REORDERED, {"repriced": moved})

    def state(self, pages: int, *, at_once: bool = False) -> dict[str, Any] | None:
        """Return the strategy's state if it is to be saved, else None."""
        if self._remembers is None or not (at_once or pages >= self._next_save):
            return None
        self._next_save = pages + self._save_every
        return self._remembers.state()

    def _after(self, pages: int) -> int:
        return (pages // self._reorder_every + 1) * self._reorder_every

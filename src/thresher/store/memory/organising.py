"""Organising steps, in memory."""

from collections.abc import Mapping

from msgspec.structs import replace

from thresher.store.memory.tables import Tables
from thresher.store.organise_records import PageMove, StepRow
from thresher.types import Judgement


def hidden_topics(tables: Tables) -> list[str]:
    """Return the topics hidden by steps that are in effect."""
    with tables.lock:
        return sorted({step.hides for step in tables.steps.values() if step.hides and step.undone is None})


class MemoryOrganising:
    """The steps of this portal."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def take(self, step: StepRow, judgements: Mapping[int, Judgement]) -> StepRow:
        """Write a step and the new judgements of the pages it moves; return it with its id."""
        tables = self._tables
        with tables.lock:
            known = [id_ for id_ in sorted(judgements) if id_ in tables.documents and id_ in tables.judgements]
            taken = replace(step, id=len(tables.steps) + 1, pages=len(known))
            tables.steps[taken.id] = taken
            # Copies: a judgement is compared by identity, not by content.
            moved = {id_: replace(judgements[id_]) for id_ in known}
            tables.moves[taken.id] = {id_: (tables.judgements[id_], moved[id_]) for id_ in known}
            self._judge(moved)
            return taken

    def steps(self) -> list[StepRow]:
        """Return all steps, including undone ones, oldest first."""
        with self._tables.lock:
            return list(self._tables.steps.values())

    def hidden(self) -> list[str]:
        """Return the hidden topics."""
        return hidden_topics(self._tables)

    def moves(self, step: int) -> list[PageMove]:
        """Return the pages that a step moved, in order of id."""
        with self._tables.lock:
            moved = self._tables.moves.get(step, {})
            return [PageMove(id_, before.topic, after.topic) for id_, (before, after) in moved.items()]

    def of_page(self, page: int) -> list[tuple[StepRow, PageMove]]:
        """Return the steps that moved a page and are in effect, with its moves, oldest first."""
        moves = ((step, move) for step in self.steps() for move in self.moves(step.id))
        return [(step, move) for step, move in moves if move.page == page and step.undone is None]

    def undo(self, step: int, at: float) -> list[int]:
        """Restore the previous judgements of a step's pages and return their ids."""
        tables = self._tables
        with tables.lock:
            taken = tables.steps.get(step)
            if taken is None or taken.undone is not None:
                return []
            tables.steps[step] = replace(taken, undone=at)
            # A page that was judged again has a different judgement from that of the step.
            untouched = {
                id_: before
                for id_, (before, after) in tables.moves[step].items()
                if tables.judgements.get(id_) is after and id_ in tables.documents
            }
            self._judge(untouched)
            self._relink_later(step)
            return list(untouched)

    def _relink_later(self, step: int) -> None:
        """Make later steps that are in effect restore what was there before this one."""
        tables = self._tables
        for id_, (before, after) in tables.moves[step].items():
            for other, moves in tables.moves.items():
                if tables.steps[other].undone is None and id_ in moves and moves[id_][0] is after:
                    moves[id_] = (before, moves[id_][1])

    def _judge(self, judgements: Mapping[int, Judgement]) -> None:
        tables = self._tables
        if not judgements:
            tables.draw()
        for id_, judgement in judgements.items():
            tables.judgements[id_] = judgement
            tables.documents[id_] = (tables.draw(), tables.documents[id_][1])

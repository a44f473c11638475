"""Moves pages between topics, and undoes it."""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from thresher.errors import InputError, command
from thresher.store.organise_records import StepKind, StepRow
from thresher.store.protocol import Store
from thresher.taxonomy.topic_tree import Path, parsed, written
from thresher.types import Judgement
from thresher.work_faults import NothingToUndo


class Undone(Struct, frozen=True):
    """A step that was undone: how many pages moved back, and how many stayed because they were judged again since."""

    step: StepRow
    pages: int
    stayed: int


def moved_to(store: Store, moves: Mapping[int, Path]) -> dict[int, Judgement]:
    """Return the judgements of pages with their new topics; pages without a judgement are left out.

    Confidence, evidence and model stay the same, because nothing is judged again.
    """
    found = {}
    for id_, path in moves.items():
        judgement = store.documents.judgement(id_)
        if judgement is not None:
            found[id_] = replace(judgement, topic=written(path), path=path, rejection=None)
    return found


def standing(store: Store, kinds: Iterable[StepKind]) -> StepRow | None:
    """Return the latest step of the given kinds that has not been undone, or None."""
    wanted = set(kinds)
    return next((s for s in reversed(store.organising.steps()) if s.kind in wanted and s.undone is None), None)


def undo(store: Store, kind: StepKind, portal: object, *, at: float) -> Undone:
    """Undo the latest step of a kind; raise InputError if there is none."""
    step = standing(store, [kind])
    if step is None:
        raise InputError(
            f"There is no {kind} to undo.", f"See what it would do: {command(kind, portal)}", NothingToUndo()
        )
    moved = {move.page for move in store.organising.moves(step.id)}
    back = store.organising.undo(step.id, at)
    return Undone(step, len(back), len(moved) - len(back))


def parent_of(topic: str) -> Path:
    """Return the path of a topic's parent, empty for top-level topics.

    >>> parent_of("Science/Physics"), parent_of("Science")
    (('Science',), ())
    """
    return parsed(topic)[:-1]

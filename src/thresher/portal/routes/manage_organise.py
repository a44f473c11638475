"""Organising after a crawl: split a topic, filter topics, hide duplicates; each with preview and undo."""

import math
from typing import Annotated, Final

from fastapi import Form, Query
from starlette.responses import Response

from thresher.organise.splitting import MOST_CLUSTERS
from thresher.portal.changes import CHANGED
from thresher.portal.doors import Doors, Refused
from thresher.portal.routes.crawl import live_of, times_of
from thresher.portal.routes.work import bench_of, why_failed
from thresher.portal.view import RequestContext, Seen
from thresher.portal.work import InTheWay
from thresher.store.organise_records import StepRow
from thresher.store.portal_records import Role
from thresher.store.work_records import ORGANISING, WorkKind, WorkRow

doors = Doors()

APPLY: Final = "--apply"
UNDO: Final = "--undo"
RESTS: Final = ("parent", "svm", "transductive")
STRICT: Final = ("loss", "error", "factor")
"""The options that set the strictness of a filter."""

_DIGITS: Final = 19
_SHOWN: Final = 20
_STEPS: Final = 20

Share = Annotated[float, Form(ge=0, le=1, allow_inf_nan=False)]


@doors.page("/manage/organise", needs=Role.ADMIN)
def manage_organise(view: Seen, topic: Annotated[str, Query(max_length=2000)] = "") -> Response:
    """Show what can be done, and what was done."""
    return _page(view, topic)


@doors.form("/manage/organise/split", needs=Role.ADMIN)
def preview_split(
    view: Seen,
    topic: Annotated[str, Form(max_length=2000)] = "",
    into: Annotated[int, Form(ge=0, le=MOST_CLUSTERS)] = 0,
    loss: Annotated[float, Form(ge=0, le=0.95, allow_inf_nan=False)] = 0.0,
    rest: Annotated[str, Form(max_length=20)] = RESTS[0],
) -> Response:
    """Compute how a topic would be split."""
    if view.node(topic) is None or rest not in RESTS:
        raise Refused(400, "error.topic", "error.topic_then")
    number = ("--into", str(into)) if into else ()
    share = ("--loss", str(loss)) if loss else ()
    return _start(view, WorkKind.SPLIT, (*number, *share, "--rest", rest, "--", topic))


@doors.form("/manage/organise/filter", needs=Role.ADMIN)
def preview_filter(
    view: Seen,
    topic: Annotated[str, Form(max_length=2000)] = "",
    by: Annotated[str, Form(max_length=20)] = STRICT[0],
    value: Share = 0.2,
    together: Annotated[bool, Form()] = False,
) -> Response:
    """Compute which pages would leave their topics."""
    if (topic and view.node(topic) is None) or by not in STRICT:
        raise Refused(400, "error.topic", "error.topic_then")
    value = min(value, 0.95) if by == "loss" else value
    flag = ("--together",) if together else ()
    return _start(view, WorkKind.FILTER, (f"--{by}", str(value), *flag, "--", *([topic] if topic else [])))


@doors.form("/manage/organise/dedupe", needs=Role.ADMIN)
def preview_dedupe(view: Seen, similar: Annotated[float, Form(ge=0.5, le=1, allow_inf_nan=False)] = 0.8) -> Response:
    """Compute which pages are near-duplicates."""
    return _start(view, WorkKind.DEDUPE, ("--similar", str(similar)))


@doors.page("/manage/organise/{number}", needs=Role.ADMIN)
def organise_result(view: Seen, number: str) -> Response:
    """Show the result of organising work; a preview can be applied."""
    if number in ("split", "filter", "dedupe", "apply", "undo"):
        # A refused form was reloaded.
        return view.go("/manage/organise")
    row = _work(view, int(number) if number.isascii() and number.isdigit() and len(number) < _DIGITS else 0)
    bench = bench_of(view)
    bench.running(view.library.clock())
    row = view.library.store.works.get(row.id) or row
    found = bench.result(row.id) if row.ended is not None and row.code == 0 else None
    return view.page(
        "manage_organised.html",
        here="organise",
        row=row,
        found=found,
        why=why_failed(bench, row),
        how_far=bench.step(row.id) if row.ended is None else None,
        times=times_of(view),
        preview=APPLY not in row.arguments and UNDO not in row.arguments,
        undoing=UNDO in row.arguments,
        step=_step_of(view, row),
        shown=_SHOWN,
        strict=STRICT,
    )


@doors.form("/manage/organise/apply", needs=Role.ADMIN)
def apply_organising(view: Seen, number: Annotated[int, Form(ge=0, lt=1 << 62)] = 0) -> Response:
    """Apply a preview; pages are evaluated again, since there may be new ones."""
    row = _work(view, number)
    if {APPLY, UNDO} & set(row.arguments):
        raise Refused(400, "error.request", "error.request_then")
    return _start(view, row.kind, (APPLY, *row.arguments))


@doors.form("/manage/organise/undo", needs=Role.ADMIN)
def undo_organising(view: Seen, step: Annotated[int, Form(ge=0, lt=1 << 62)] = 0) -> Response:
    """Undo a step, which must be the latest of its kind that still applies."""
    steps = view.library.store.organising.steps()
    asked = next((one for one in steps if one.id == step), None)
    if asked is None:
        raise Refused(404, "error.missing", "error.missing_then")
    if asked.undone is not None:
        raise Refused(409, "organise.undone_before", "organise.undone_before_then")
    if asked.id not in _undoable(steps):
        raise Refused(409, CHANGED, f"{CHANGED}_then")
    return _start(view, WorkKind(asked.kind), (UNDO,))


def _start(view: RequestContext, kind: WorkKind, arguments: tuple[str, ...]) -> Response:
    name = view.user.name if view.user else ""
    found = bench_of(view).start(WorkRow(kind=kind, asked=view.library.clock(), user=name, arguments=arguments))
    live_of(view).look_again()
    if isinstance(found, InTheWay):
        return _page(view, "", 409, found)
    return view.go(f"/manage/organise/{found.id}")


def _page(view: RequestContext, topic: str, status: int = 200, in_the_way: InTheWay | None = None) -> Response:
    store = view.library.store
    bench_of(view).running(view.library.clock())
    steps = store.organising.steps()
    works = [row for row in store.works.newest(100) if row.kind in ORGANISING][:5]
    return view.page(
        "manage_organise.html",
        status,
        here="organise",
        told=view.library.overview(),
        topic=topic,
        rests=RESTS,
        strict=STRICT,
        most=MOST_CLUSTERS,
        steps=steps[::-1][:_STEPS],
        undoable=_undoable(steps),
        works=works,
        in_the_way=in_the_way,
        times=times_of(view),
    )


def _undoable(steps: list[StepRow]) -> set[int]:
    """Return the ids of the steps that can be undone: the latest of each kind that still applies."""
    return set({step.kind: step.id for step in steps if step.undone is None}.values())


def _step_of(view: RequestContext, row: WorkRow) -> int | None:
    """Return the id of the step that work has taken, or None if there is none that can be undone."""
    steps = view.library.store.organising.steps()
    end = math.inf if row.ended is None else row.ended
    taken = [step.id for step in steps if step.kind.value == row.kind.value and row.asked <= step.at <= end]
    return next((id_ for id_ in taken if id_ in _undoable(steps)), None)


def _work(view: RequestContext, number: int) -> WorkRow:
    row = view.library.store.works.get(number) if 0 < number < 1 << 62 else None
    if row is None or row.kind not in ORGANISING:
        raise Refused(404, "error.missing", "error.missing_then")
    return row

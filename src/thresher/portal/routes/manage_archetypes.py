"""Managing archetypes: pages proposed for training, retraining rounds with their effect, and rolling back."""

from typing import Annotated, Any

import msgspec
from fastapi import Form, Query
from msgspec.structs import replace
from starlette.responses import Response

from thresher.errors import ThresherError
from thresher.models import roll_back
from thresher.portal.changes import noted
from thresher.portal.doors import Doors, Refused, cannot
from thresher.portal.view import Seen
from thresher.portal.work import InTheWay, Workbench
from thresher.store.portal_records import Role
from thresher.store.records import ArchetypeState, ModelRow
from thresher.store.work_records import WorkKind, WorkRow

doors = Doors()

Text = Annotated[str, Form(max_length=5000)]


@doors.page("/manage/archetypes", needs=Role.ADMIN)
def manage_archetypes(
    view: Seen, done: Annotated[int, Query(ge=0, lt=1 << 62)] = 0, rolled: Annotated[int, Query(ge=0, lt=1 << 62)] = 0
) -> Response:
    """Show the archetypes by topic, and the rounds."""
    store = view.library.store
    topics: dict[str, list[Any]] = {}
    for row in store.archetypes.all():
        topics.setdefault(row.topic, []).append(row)
    used = store.models.newest()
    return view.page(
        "manage_archetypes.html",
        here="archetypes",
        topics=topics,
        rounds=[_round(row, used) for row in reversed(store.models.all())],
        last=store.deeds.get(done) if done else None,
        rolled=rolled,
    )


@doors.form("/manage/archetypes/decide", needs=Role.ADMIN)
def decide_archetype(
    view: Seen, topic: Text = "", url: Text = "", state: Annotated[str, Form(max_length=20)] = ""
) -> Response:
    """Decide whether a page is used for training."""
    store = view.library.store
    row = next((one for one in store.archetypes.all() if (one.topic, one.url) == (topic, url)), None)
    if row is None or state not in list(ArchetypeState):
        raise Refused(404, "error.missing", "error.missing_then")
    store.archetypes.put([replace(row, state=ArchetypeState(state), at=view.library.clock())])
    about = msgspec.json.encode([topic, url]).decode()
    number = noted(view, "archetype", about, row.state.value, state)
    return view.go(f"/manage/archetypes?done={number}")


@doors.form("/manage/archetypes/roll-back", needs=Role.ADMIN)
def go_back(view: Seen, step: Annotated[int, Form(ge=0, lt=1 << 31)] = 0) -> Response:
    """Roll back to the model of a step, and reclassify the stored pages with it."""
    library = view.library
    try:
        roll_back(library.portal, library.store, step)
    except ThresherError as error:
        raise cannot(error) from None
    bench: Workbench = view.request.app.state.bench
    user = view.user.name if view.user else ""
    begun = bench.start(WorkRow(kind=WorkKind.RECLASSIFY, asked=library.clock(), user=user))
    # A running crawl reclassifies all pages when it ends.
    return view.go(f"/manage/archetypes?rolled={2 if isinstance(begun, InTheWay) else 1}")


def _round(row: ModelRow, used: ModelRow | None) -> dict[str, Any]:
    report = row.report or {}
    change = report.get("change") or {}
    topics = [topic for topic in report.get("topics", []) if isinstance(topic, dict)]
    return {
        "step": row.step,
        "at": row.at,
        "archetypes": report.get("archetypes", 0),
        "answers": report.get("answers"),
        "before": change.get("before"),
        "after": change.get("after"),
        "topics": topics,
        "state": "used" if row == used else "rolled_back" if row.rolled_back else "earlier",
    }

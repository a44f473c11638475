"""Management: the menu, and all changes with their undo."""

from typing import Annotated

from fastapi import Form
from starlette.responses import Response

from thresher.portal.changes import undo
from thresher.portal.doors import Doors, Refused
from thresher.portal.form_tokens import local_path
from thresher.portal.view import Seen
from thresher.store.portal_records import Role

doors = Doors()

Back = Annotated[str, Form(max_length=2000)]
_SHOWN = 200
REVIEWERS = frozenset({"training", "inbox", "remove", "site"})
"""Kinds of changes that reviewers may undo; only administrators may undo others."""


@doors.page("/manage", needs=Role.REVIEWER)
def manage(view: Seen) -> Response:
    """Redirect to the first management page that the reader may see."""
    return view.go("/manage/topics" if view.may(Role.ADMIN) else "/manage/training")


@doors.page("/manage/changes", needs=Role.REVIEWER)
def changes(view: Seen) -> Response:
    """Show what people have changed, newest first."""
    store = view.library.store
    kinds = () if view.may(Role.ADMIN) else tuple(REVIEWERS)
    names = {user.id: user.name for user in view.accounts.users.all()}
    return view.page("manage_changes.html", here="changes", rows=store.deeds.all(kinds, _SHOWN), names=names)


@doors.form("/manage/undo", needs=Role.REVIEWER)
def undo_change(view: Seen, number: Annotated[int, Form(ge=0, lt=1 << 62)] = 0, back: Back = "") -> Response:
    """Undo a change, or redo it."""
    row = view.library.store.deeds.get(number)
    if row is None:
        raise Refused(404, "error.missing", "error.missing_then")
    if row.kind not in REVIEWERS and not view.may(Role.ADMIN):
        raise Refused(403, "error.role", "error.role_then")
    fault = undo(view, row)
    if fault is not None:
        raise Refused(409, fault, f"{fault}_then")
    place = local_path(back) if back else "/manage/changes"
    return view.go(f"{place}{'&' if '?' in place else '?'}done={number}")

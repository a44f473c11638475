"""Managing accounts: who may do what."""

from typing import Annotated

from fastapi import Form, Query
from msgspec.structs import replace
from starlette.responses import Response

from thresher.accounts import fault_of_name, fault_of_password
from thresher.portal.changes import noted, told_of
from thresher.portal.doors import Doors, Refused
from thresher.portal.view import RequestContext, Seen
from thresher.store.portal_records import Role, UserRow

doors = Doors()

Name = Annotated[str, Form(max_length=200)]


@doors.page("/manage/users", needs=Role.ADMIN)
def manage_users(view: Seen, done: Annotated[int, Query(ge=0, lt=1 << 62)] = 0) -> Response:
    """Show the accounts."""
    return _page(view, done=done)


@doors.form("/manage/users/add", needs=Role.ADMIN)
def add_user(
    view: Seen,
    name: Name = "",
    password: Annotated[str, Form(max_length=2000)] = "",
    role: Annotated[str, Form(max_length=20)] = "",
) -> Response:
    """Create an account."""
    if role not in list(Role):
        raise Refused(400, "error.request", "error.request_then")
    fault = fault_of_name(name) or fault_of_password(password)
    user = None if fault else view.accounts.add(name, password, Role(role))
    if user is None:
        return _page(view, 400, fault=fault or "account.taken", name=name)
    number = noted(view, "user", user.name, None, told_of(user))
    return view.go(f"/manage/users?done={number}")


@doors.form("/manage/users/change", needs=Role.ADMIN)
def change_role(view: Seen, name: Name = "", role: Annotated[str, Form(max_length=20)] = "") -> Response:
    """Change the role of an account."""
    user = _user(view, name)
    if role not in list(Role):
        raise Refused(400, "error.request", "error.request_then")
    changed = replace(user, role=Role(role))
    if not view.accounts.users.change(changed, keep_admin=True):
        raise Refused(409, "manage.last_admin", "manage.last_admin_then")
    number = noted(view, "user", user.name, told_of(user), told_of(changed))
    return view.go(f"/manage/users?done={number}")


@doors.form("/manage/users/remove", needs=Role.ADMIN)
def remove_user(view: Seen, name: Name = "") -> Response:
    """Remove an account and sign it out everywhere."""
    user = _user(view, name)
    if not view.accounts.users.remove(user.id, keep_admin=True):
        raise Refused(409, "manage.last_admin", "manage.last_admin_then")
    number = noted(view, "user", user.name, told_of(user), None)
    return view.go(f"/manage/users?done={number}")


@doors.form("/manage/users/sign-out", needs=Role.ADMIN)
def sign_out_user(view: Seen, name: Name = "") -> Response:
    """Sign an account out of every browser."""
    view.accounts.sign_out_everywhere(_user(view, name))
    return view.go("/manage/users")


def _page(
    view: RequestContext, status: int = 200, *, done: int = 0, fault: str | None = None, name: str = ""
) -> Response:
    store = view.library.store
    return view.page(
        "manage_users.html",
        status,
        here="users",
        users=view.accounts.users.all(),
        roles=list(Role),
        fault=fault,
        name=name,
        last=store.deeds.get(done) if done else None,
    )


def _user(view: RequestContext, name: str) -> UserRow:
    user = view.accounts.users.get(name)
    if user is None:
        raise Refused(404, "manage.no_user", "manage.no_user_then")
    return user

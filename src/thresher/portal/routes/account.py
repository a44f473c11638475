"""Signing in and out, the first account, and changing one's password."""

import hmac
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Form, Query
from starlette.responses import Response

from thresher.accounts import LIFETIME, fault_of_name, fault_of_password
from thresher.portal.brakes import GuessBrake
from thresher.portal.doors import Doors, Refused
from thresher.portal.form_tokens import SESSION, local_path
from thresher.portal.view import FEED, RequestContext, Seen
from thresher.store.portal_records import Role, UserRow

doors = Doors()

Name = Annotated[str, Form(max_length=200)]
Password = Annotated[str, Form(max_length=2000)]
Back = Annotated[str, Form(max_length=2000)]


@doors.page("/sign-in", open=True)
def sign_in(view: Seen, back: Annotated[str, Query(max_length=2000)] = "/") -> Response:
    """Show the sign-in form."""
    return _sign_in(view, back, "", None)


@doors.form("/sign-in", open=True)
def signed_in(view: Seen, name: Name = "", password: Password = "", back: Back = "/") -> Response:
    """Sign in; after several wrong passwords the reader has to wait."""
    guesses: GuessBrake = view.request.app.state.guesses
    tried = (f"name {name.lower()}", f"from {view.sender}")
    wait = guesses.wait(*tried)
    if wait > 0:
        return _sign_in(view, back, name, "account.wait", 429, max(1, round(wait)))
    user = view.accounts.check(name, password)
    if user is None:
        guesses.missed(*tried)
        return _sign_in(view, back, name, "account.wrong", 401)
    guesses.passed(*tried)
    return _enter(view, user, back)


@doors.form("/sign-out", open=True)
def sign_out(view: Seen) -> Response:
    """Sign this browser out."""
    view.accounts.sign_out(view.session)
    return _leave(view)


@doors.page("/account", needs=Role.READER)
def account(view: Seen, done: bool = False) -> Response:
    """Show the reader's account."""
    return _account(view, done=done)


@doors.form("/account/password", needs=Role.READER)
def change_password(view: Seen, old: Password = "", password: Password = "") -> Response:
    """Change the reader's password, and sign out everywhere else."""
    user = _signed_in(view)
    fault = fault_of_password(password)
    if fault is None and view.accounts.check(user.name, old) is None:
        fault = "account.old_wrong"
    if fault is not None:
        return _account(view, 400, fault=fault)
    view.accounts.set_password(user, password)
    view.accounts.sign_out_everywhere(user)
    return _enter(view, user, "/account?done=true")


@doors.form("/account/sign-out-everywhere", needs=Role.READER)
def sign_out_everywhere(view: Seen) -> Response:
    """Sign the reader's account out of every browser."""
    view.accounts.sign_out_everywhere(_signed_in(view))
    return _leave(view)


@doors.form("/account/feed", needs=Role.REVIEWER)
def make_feed_key(view: Seen) -> Response:
    """Create an address for feed readers and show it once; it is not stored."""
    key = view.accounts.make_feed_key(_signed_in(view))
    base = str(view.request.base_url).rstrip("/")
    return _account(view, feed=f"{base}/report{FEED}?" + urlencode({"key": key}))


@doors.form("/account/feed/remove", needs=Role.READER)
def remove_feed_key(view: Seen) -> Response:
    """Revoke the address for feed readers."""
    view.accounts.remove_feed_key(_signed_in(view))
    return view.go("/account")


@doors.page("/first", open=True)
def first(view: Seen, key: Annotated[str, Query(max_length=200)] = "") -> Response:
    """Show the form for the first account to whoever has the key from the terminal."""
    _check_key(view, key)
    return view.page("first.html", key=key, fault=None, name="")


@doors.form("/first", open=True)
def make_first(
    view: Seen, key: Annotated[str, Form(max_length=200)] = "", name: Name = "", password: Password = ""
) -> Response:
    """Create the first account, an administrator; the key works once."""
    _check_key(view, key)
    fault = fault_of_name(name) or fault_of_password(password)
    user = None if fault else view.accounts.add(name, password, Role.ADMIN)
    if user is None:
        return view.page("first.html", 400, key=key, fault=fault or "account.taken", name=name)
    view.request.app.state.first_key = ""
    return _enter(view, user, "/")


def _check_key(view: RequestContext, key: str) -> None:
    wanted: str = view.request.app.state.first_key
    if not wanted or view.accounts.any() or not hmac.compare_digest(wanted.encode(), key.encode()):
        raise Refused(403, "error.first", "error.first_then")


def _signed_in(view: RequestContext) -> UserRow:
    if view.user is None:
        raise Refused(401, "error.sign_in", "error.sign_in_then")
    return view.user


def _account(
    view: RequestContext, status: int = 200, *, fault: str | None = None, done: bool = False, feed: str = ""
) -> Response:
    made = view.accounts.feed_key_made(_signed_in(view))
    return view.page("account.html", status, fault=fault, done=done, feed=feed, feed_made=made)


def _sign_in(
    view: RequestContext, back: str, name: str, fault: str | None, status: int = 200, seconds: int = 0
) -> Response:
    return view.page("sign_in.html", status, back=local_path(back), name=name, fault=fault, seconds=seconds)


def _enter(view: RequestContext, user: UserRow, back: str) -> Response:
    response = view.go(local_path(back))
    view.set_cookie(response, SESSION, view.accounts.sign_in(user), int(LIFETIME))
    return response


def _leave(view: RequestContext) -> Response:
    response = view.go("/")
    view.set_cookie(response, SESSION, "", 0)
    return response

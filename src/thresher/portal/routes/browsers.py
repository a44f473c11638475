"""Browsers that send sessions: their keys, created by an account, and the sessions they send."""

import math
from typing import Annotated, Final

import msgspec
from fastapi import Depends, Form, Request
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response

from thresher.accounts import fault_of_name
from thresher.portal.doors import Doors, Refused
from thresher.portal.view import RequestContext, Seen
from thresher.store.browsing import BrowsedPage, BrowserKey, BrowsingRow
from thresher.store.portal_records import Role, UserRow
from thresher.tokens import digest, new_token
from thresher.web.urls import canonical

doors = Doors()

MOST_KEYS: Final = 20
MOST_PAGES: Final = 1000
MOST_LINKS: Final = 5000
LONGEST: Final = 2000
TITLE: Final = 300
"""Limits: keys of an account; pages and links of a session; characters of a URL and of a title."""

_DAY: Final = 86_400.0


class _Page(msgspec.Struct):
    url: str
    title: str = ""
    at: float | None = None
    useful: bool = False


class _Sent(msgspec.Struct):
    pages: Annotated[list[_Page], msgspec.Meta(min_length=1, max_length=MOST_PAGES)]
    links: Annotated[list[tuple[int, int]], msgspec.Meta(max_length=MOST_LINKS)] = []


_DECODER: Final = msgspec.json.Decoder(_Sent)


def holder(view: Seen) -> UserRow:
    """Return the account of a request's key; raises Refused without a key, or if the account may not send sessions."""
    scheme, _, key = view.request.headers.get("authorization", "").partition(" ")
    now = view.library.clock()
    user = view.accounts.keys.use(digest(key.strip()), now) if scheme.lower() == "bearer" and key else None
    if user is None:
        raise Refused(401, "browsers.no_key", "browsers.no_key_then")
    if not user.role.includes(Role.REVIEWER):
        raise Refused(403, "error.role", "error.role_then")
    return user


async def body(request: Request) -> bytes:
    """Return the request body; the shield cuts off bodies that are too large."""
    try:
        return await request.body()
    except ClientDisconnect:
        raise Refused(413, "browsers.bad", "browsers.bad_then") from None


Holder = Annotated[UserRow, Depends(holder)]


@doors.keyed("/browsing/hello.json", "GET", needs=Role.REVIEWER, brake="browsing")
def hello(view: Seen, user: Holder) -> Response:
    """Confirm to an extension that its key is valid."""
    return JSONResponse({"portal": view.library.title, "name": user.name})


@doors.keyed("/browsing/sessions.json", "POST", needs=Role.REVIEWER, brake="browsing")
def take_session(view: Seen, user: Holder, sent: Annotated[bytes, Depends(body)]) -> Response:
    """Store a session that an extension recorded."""
    row = session_in(sent, user.name, view.library.clock())
    view.library.store.browsing.keep([row])
    return JSONResponse({"pages": len(row.pages), "useful": row.useful, "links": len(row.links)}, 201)


@doors.page("/account/browsers", needs=Role.REVIEWER)
def browsers(view: Seen) -> Response:
    """Show the keys of the reader's browsers."""
    return _page(view)


@doors.form("/account/browsers/make", needs=Role.REVIEWER)
def make_key(view: Seen, name: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Create a key for a browser and show it once."""
    user, keys = _user(view), view.accounts.keys
    if fault_of_name(name) is not None:
        return _page(view, 400, fault="browsers.no_name")
    if len(keys.of(user.id)) >= MOST_KEYS:
        return _page(view, 409, fault="browsers.many")
    key = new_token()
    keys.add(BrowserKey(digest=digest(key), user=user.id, name=name, made=view.library.clock()))
    return _page(view, name=name, key=key)


@doors.form("/account/browsers/remove", needs=Role.REVIEWER)
def remove_key(view: Seen, key: Annotated[int, Form(ge=0, lt=1 << 62)] = 0) -> Response:
    """Remove a key; the browser that has it can no longer send anything."""
    view.accounts.keys.remove(_user(view).id, key)
    return view.go("/account/browsers")


def session_in(sent: bytes, name: str, now: float) -> BrowsingRow:
    """Return the session in a request without pages that no crawler could fetch; raises Refused if it is invalid."""
    try:
        told = _DECODER.decode(sent)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Refused(400, "browsers.bad", "browsers.bad_then") from None
    pages: dict[str, BrowsedPage] = {}
    urls = [canonical(page.url) if len(page.url) <= LONGEST else None for page in told.pages]
    for url, page in zip(urls, told.pages, strict=True):
        if url is None:
            continue
        known = pages.get(url)
        at = page.at if page.at is not None and math.isfinite(page.at) and 0 <= page.at <= now + _DAY else None
        pages[url] = BrowsedPage(
            url=url,
            title=(known.title if known else "") or page.title[:TITLE],
            at=known.at if known else at,
            useful=page.useful or (known is not None and known.useful),
        )
    if not pages or any(not 0 <= place < len(urls) for link in told.links for place in link):
        raise Refused(400, "browsers.bad", "browsers.bad_then")
    place_of = {url: place for place, url in enumerate(pages)}
    ends = [(urls[source], urls[target]) for source, target in told.links]
    links = {
        (place_of[source], place_of[target])
        for source, target in ends
        if source is not None and target is not None and source != target
    }
    return BrowsingRow(source="extension", label=name, taken=now, pages=list(pages.values()), links=sorted(links))


def _user(view: RequestContext) -> UserRow:
    if view.user is None:
        raise Refused(401, "error.sign_in", "error.sign_in_then")
    return view.user


def _page(
    view: RequestContext, status: int = 200, *, fault: str | None = None, name: str = "", key: str = ""
) -> Response:
    url = view.request.url
    return view.page(
        "account_browsers.html",
        status,
        keys=view.accounts.keys.of(_user(view).id),
        fault=fault,
        name=name,
        key=key,
        address=f"{url.scheme}://{url.netloc}{view.request.scope.get('app_root_path', '')}",
    )

"""A folder of portals behind one address: a list of them, shared accounts, and a form for new portals.

Accounts are stored in the hidden directory `.thresher`; a `thresher.toml` there sets hosts and proxies for all portals.
"""

import asyncio
import re
import unicodedata
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import anyio.to_thread
import tomli_w
from fastapi import FastAPI, Form
from msgspec import Struct
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from thresher.accounts import Accounts
from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.errors import ThresherError
from thresher.portal.app import answer_errors, make_app
from thresher.portal.below import Below
from thresher.portal.brakes import GuessBrake
from thresher.portal.doors import Doors
from thresher.portal.library import Library
from thresher.portal.routes import account, home
from thresher.portal.view import RequestContext, Seen
from thresher.portals import create_portal
from thresher.store.portal_records import Role
from thresher.store.protocol import Store
from thresher.store.repository import is_portal, open_store
from thresher.tokens import new_token

ACCOUNTS: Final = ".thresher"
"""Directory in which a folder stores the accounts and the common settings of its portals."""

PREFIX: Final = "/p/"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_LONGEST: Final = 60

doors = Doors()


class PortalEntry(Struct, frozen=True):
    """A portal in the list; `pages` is None if it could not be opened."""

    name: str
    title: str
    about: str
    pages: int | None


def folder_name(title: str) -> str:
    """Return the name of a portal's directory and address, or "" if the title has no usable letter or digit.

    >>> folder_name("Tee & Gärten"), folder_name("../../etc"), folder_name("…")
    ('tee-garten', 'etc', '')
    """
    plain = unicodedata.normalize("NFKD", title.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST].strip("-")


def portals_in(folder: Path) -> list[str]:
    """Return the names of the portals in a folder; directories with names unusable in a URL are skipped."""
    try:
        return sorted(found.name for found in folder.iterdir() if _NAME.fullmatch(found.name) and is_portal(found))
    except OSError:
        return []


class FolderApp:
    """The application of a folder: requests below `/p/NAME` go to that portal, all others to the list."""

    def __init__(self, folder: Path, hosts: tuple[str, ...] = ()) -> None:
        self._folder = folder
        self._store = open_store(folder / ACCOUNTS, create=True)
        settings = load(folder / ACCOUNTS).settings
        self._hosts = (*hosts, *settings.portal.hosts)
        answer: Any = self._answer
        self._entry = answer
        if settings.portal.proxies:
            self._entry = ProxyHeadersMiddleware(answer, trusted_hosts=list(settings.portal.proxies))
        self._accounts = Accounts(self._store)
        self.lobby = _make_lobby(folder, self._store, self._accounts, settings, self._hosts)
        self._portals: dict[str, ASGIApp] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._stack = AsyncExitStack()

    @property
    def first_key(self) -> str:
        """The key for creating the first account, "" if there is an account."""
        key: str = self.lobby.state.first_key
        return key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or the startup and shutdown of the server."""
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
        else:
            await self._entry(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        app: ASGIApp = self.lobby
        if scope["path"].startswith(PREFIX):
            name = scope["path"].removeprefix(PREFIX).partition("/")[0]
            app = await self._portal(name) or self.lobby
        await app(scope, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        # Open every portal so its schedules run.
        for name in await anyio.to_thread.run_sync(portals_in, self._folder):
            await self._portal(name)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._stack.aclose()
        self._store.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _portal(self, name: str) -> ASGIApp | None:
        """Return the application of a portal, opening it if needed; None if it does not exist or is damaged."""
        if name in self._portals:
            return self._portals[name]
        if not _NAME.fullmatch(name):
            return None
        async with self._opening.setdefault(name, asyncio.Lock()):
            if name in self._portals:
                return self._portals[name]
            try:
                app = await anyio.to_thread.run_sync(self._open, self._folder / name)
            except (ThresherError, OSError):
                return None
            await self._stack.enter_async_context(app.router.lifespan_context(app))
            self._portals[name] = Below(app, f"{PREFIX}{name}")
            return self._portals[name]

    def _open(self, portal: Path) -> FastAPI:
        settings = load(portal).settings
        store = open_store(portal)
        self._stack.callback(store.close)
        return make_app(portal, store, settings, hosts=self._hosts, accounts=self._accounts)


def _make_lobby(folder: Path, store: Store, accounts: Accounts, settings: Settings, hosts: tuple[str, ...]) -> FastAPI:
    library = Library(folder / ACCOUNTS, store, settings)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=_nothing)
    app.state.library = library
    app.state.accounts = accounts
    app.state.guesses = GuessBrake(accounts.tries, library.clock)
    app.state.limits = {}
    app.state.first_key = "" if accounts.any() else new_token()
    app.state.lobby = True
    app.state.folder = folder
    app.include_router(doors)
    app.include_router(account.doors)
    answer_errors(app, hosts)
    return app


@asynccontextmanager
async def _nothing(_app: FastAPI) -> AsyncIterator[None]:
    yield


def _share_with_portals() -> None:
    """Answer what does not depend on a portal as a portal does."""
    for path, handler in (("/look", home.look), ("/static/{name}", home.static), ("/healthz", home.health)):
        doors.page(path, open=True)(handler)


_share_with_portals()


@doors.page("/")
def lobby(view: Seen) -> Response:
    """Show the portals of the folder."""
    return view.page("folder.html", portals=_shown(view), may_make=view.may(Role.ADMIN))


@doors.page("/new", needs=Role.ADMIN)
def new_portal(view: Seen) -> Response:
    """Show the form for a new portal."""
    return view.page("folder_new.html", title="", fault="")


@doors.form("/new", needs=Role.ADMIN)
def make_portal(view: Seen, title: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Create a portal, and redirect to its first steps."""
    title = " ".join(title.split())
    name = folder_name(title)
    if not name or not title.isprintable():
        return view.page("folder_new.html", 400, title=title, fault="folder.bad_name")
    place: Path = view.request.app.state.folder / name
    if place.exists():
        return view.page("folder_new.html", 409, title=title, fault="folder.taken")
    try:
        create_portal(place, settings="\n" + tomli_w.dumps({"portal": {"title": title}}))
    except ThresherError:
        return view.page("folder_new.html", 503, title=title, fault="folder.full")
    return view.go(f"{PREFIX}{name}/start")


def _shown(view: RequestContext) -> list[PortalEntry]:
    """Return the portals that a reader may see."""
    folder: Path = view.request.app.state.folder
    shown = []
    for name in portals_in(folder):
        try:
            settings = load(folder / name).settings.portal
            if settings.private and view.user is None:
                continue
            store = open_store(folder / name, read_only=True)
            try:
                pages = store.documents.count_accepted()
            finally:
                store.close()
            shown.append(PortalEntry(name, settings.title or name, settings.about, pages))
        except (ThresherError, OSError):
            shown.append(PortalEntry(name, name, "", None))
    return shown

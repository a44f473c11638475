"""The web portal as an ASGI application: its components, pages and error handling."""

import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import anyio.to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from thresher import __version__
from thresher.accounts import Accounts
from thresher.config.settings import Settings
from thresher.errors import PortalFull, ThresherError
from thresher.portal.brakes import GuessBrake, RateLimit
from thresher.portal.doors import DATA, Elsewhere, Refused, broken
from thresher.portal.extension_origins import ExtensionOrigins
from thresher.portal.lesson_work import LessonWork
from thresher.portal.library import Library
from thresher.portal.live import Live
from thresher.portal.review_queue import ReviewQueue
from thresher.portal.routes import (
    account,
    browse,
    browsers,
    clicks,
    crawl,
    document,
    graph,
    home,
    inform,
    manage,
    manage_archetypes,
    manage_inbox,
    manage_organise,
    manage_peers,
    manage_settings,
    manage_sites,
    manage_sql,
    manage_topics,
    manage_training,
    manage_users,
    manage_words,
    remove,
    report,
    review,
    search,
    send,
    start,
    work,
)
from thresher.portal.schedules import Timekeeper
from thresher.portal.security import Shield
from thresher.portal.templating import fault_told
from thresher.portal.templating import prepare as prepare_templates
from thresher.portal.view import view_of
from thresher.portal.work import Workbench
from thresher.store.portal_records import Role
from thresher.store.protocol import Store
from thresher.tokens import new_token

# The reader of forms would write a line to the log for every damaged form that anybody sends; the answer says enough.
logging.getLogger("python_multipart").setLevel(logging.CRITICAL)

_THREADS: Final = 8
"""Requests handled at once; more would only compete with each other."""

_HOUR: Final = 3600.0
_AN_HOUR: Final = {"feedback": 20, "proposals": 10, "clicks": 600, "browsing": 600}
"""Forms that one address may send per hour, by rate limit."""

MANAGEMENT: Final = (
    *(manage, manage_topics, manage_training, manage_words, manage_archetypes),
    *(manage_organise, manage_sites, manage_peers, manage_inbox, manage_settings, manage_users, manage_sql),
)
"""The management pages, one task each."""

PARTS: Final = (
    *(home, search, browse, document, send, inform, account, clicks, crawl, work, review, report, start, graph),
    remove,
    browsers,
    *MANAGEMENT,
)
"""The pages of the portal, by subject."""


def make_app(
    portal: Path,
    store: Store,
    settings: Settings,
    *,
    hosts: tuple[str, ...] = (),
    accounts: Accounts | None = None,
    first_key: str | None = None,
) -> FastAPI:
    """Return the application of a portal; `hosts` are accepted host names in addition to those in the settings.

    `first_key` is the key for creating the first account; None generates one.
    """
    library = Library(portal, store, settings)
    app = FastAPI(
        title=library.title,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        lifespan=_prepared,
    )
    app.state.library = library
    app.state.accounts = accounts or Accounts(store)
    app.state.guesses = GuessBrake(app.state.accounts.tries, library.clock)
    app.state.limits = {
        kind: RateLimit(store.tries, kind, number, _HOUR, library.clock) for kind, number in _AN_HOUR.items()
    }
    app.state.first_key = first_key_of(app.state.accounts) if first_key is None else first_key
    app.state.bench = Workbench(portal, store)
    app.state.live = Live(library, app.state.bench)
    app.state.timekeeper = Timekeeper(store, app.state.bench, library.clock)
    app.state.review_queue = ReviewQueue(library)
    app.state.lesson_work = LessonWork(app.state.bench, store)
    for part in PARTS:
        app.include_router(part.doors)
    if settings.peers.enabled:
        _let_peers_in(app, portal, store, settings)
    app.state.paths = frozenset(getattr(route, "path", "") for part in PARTS for route in part.doors.routes)
    app.add_middleware(ExtensionOrigins)
    answer_errors(app, (*hosts, *settings.portal.hosts))
    if settings.portal.proxies:
        # Trust the forwarded scheme and client address only from our own proxies.
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.portal.proxies))
    return app


def _let_peers_in(app: FastAPI, portal: Path, store: Store, settings: Settings) -> None:
    """Serve peer messages under /peers/, and exchange neighbour lists with peers."""
    from thresher.peers.gossip import Gossip
    from thresher.peers.server import peer_app
    from thresher.runs.peering import Peering

    peering = Peering(portal, store, settings)
    app.mount("/peers", peer_app(peering.responder()))
    app.state.gossip = Gossip(peering.exchange, store.tries, app.state.library.clock, settings.peers.interval)


def answer_errors(app: FastAPI, hosts: tuple[str, ...]) -> None:
    """Make an application answer errors with our own pages, and only accept requests for its own hosts."""
    for kind, answer in _ANSWERS.items():
        app.add_exception_handler(kind, answer)
    app.add_middleware(Calm)
    app.add_middleware(Shield, hosts=hosts)


def first_key_of(accounts: Accounts) -> str:
    """Return a new key for creating the first account, or "" if there is an account."""
    return "" if accounts.any() else new_token()


@asynccontextmanager
async def _prepared(app: FastAPI) -> AsyncIterator[None]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
    await anyio.to_thread.run_sync(app.state.library.prepare)
    threading.Thread(target=_warm_up, args=(app.state.library,), name="index", daemon=True).start()
    app.state.timekeeper.start()
    gossip = getattr(app.state, "gossip", None)
    if gossip is not None:
        gossip.start()
    yield
    if gossip is not None:
        gossip.stop()
    app.state.timekeeper.stop()
    app.state.library.close()


def _warm_up(library: Library) -> None:
    prepare_templates()
    library.warm_up()


class Calm:
    """Answers with our own page after an unexpected error; runs inside the shield."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            if started or scope["type"] != "http":
                raise
            response = await anyio.to_thread.run_sync(_unforeseen, Request(scope, receive), error)
            await response(scope, receive, send)


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    view = view_of(request)
    what = view.say(error.what, **error.values)
    then = fault_told(view.say, error.fault) if error.fault else view.say(error.then, **error.values)
    if request.url.path.endswith(DATA):
        return JSONResponse({"error": what.striptags(), "reason": error.what, "remedy": then.striptags()}, error.status)
    return view.page("error.html", error.status, what=what, then=then, code=error.status)


def _elsewhere(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Elsewhere)
    return error.response()


def _http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    key = {404: "error.missing", 405: "error.method"}.get(status, "error.request")
    response = _refused(request, Refused(status, key, f"{key}_then"))
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


def _invalid(request: Request, _error: Exception) -> Response:
    return _refused(request, Refused(400, "error.request", "error.request_then"))


def _full(request: Request, _error: Exception) -> Response:
    return _refused(request, Refused(503, "error.full", "error.full_then"))


def _failed(request: Request, error: Exception) -> Response:
    """Report a file of the portal that cannot be used; only administrators see which."""
    assert isinstance(error, ThresherError)
    logging.getLogger("thresher.portal").error("%s: %s %s", request.url.path, error.sentence, error.remedy)
    if view_of(request).may(Role.ADMIN):
        return _refused(request, broken(error))
    return _refused(request, Refused(503, "error.failed", "error.failed_then"))


def _unforeseen(request: Request, error: Exception) -> Response:
    logging.getLogger("thresher.portal").error("%s", request.url.path, exc_info=error)
    return _refused(request, Refused(500, "error.unforeseen", "error.unforeseen_then"))


_ANSWERS: Final[dict[Any, Callable[[Request, Exception], Response]]] = {
    Refused: _refused,
    Elsewhere: _elsewhere,
    HTTPException: _http,
    RequestValidationError: _invalid,
    PortalFull: _full,
    ThresherError: _failed,
}

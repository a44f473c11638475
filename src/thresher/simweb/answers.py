"""What the generated web answers to a request: a pure function behind the in-memory fetcher and the HTTP server."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from math import ceil
from typing import Final, Protocol

from msgspec import Struct

from thresher.simweb.ageing import version_of
from thresher.simweb.file_pages import file_of, form_of
from thresher.simweb.hosts import SimulatedHost
from thresher.simweb.pages import Flag, PageKind
from thresher.simweb.render import render
from thresher.simweb.robots_files import PATH, robots_file
from thresher.simweb.site_lists import site_list
from thresher.simweb.soft_errors import soft_error
from thresher.simweb.traps import next_session, split_session, trap_page
from thresher.simweb.web import Web
from thresher.web.status import NOT_MODIFIED
from thresher.web.validators import is_current

BUSY_SECONDS: Final = 6.0
"""Busy pages answer 503 or 429 for this many seconds, then normally for twice as long, and so on."""

_MADE: Final = datetime(2024, 1, 1, tzinfo=UTC)
_NONE: Final[Mapping[str, str]] = {}


class SimAnswer(Struct, frozen=True):
    """An answer: it comes after `delay` seconds, or never if `hang` is set; `body` is empty for HEAD."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes = b""
    delay: float = 0.0
    hang: bool = False


class Responder(Protocol):
    """A web that answers by itself."""

    @property
    def host_numbers(self) -> Mapping[str, int]:
        """Its hosts by name."""

    def answer(
        self, method: str, host: str, target: str, now: float, conditions: Mapping[str, str]
    ) -> SimAnswer | None:
        """Return the answer to a request, or None if there is no such host."""


def answer(
    web: Web | Responder, method: str, host: str, target: str, now: float, conditions: Mapping[str, str] = _NONE
) -> SimAnswer | None:
    """Return the answer to a request, or None if there is no such host.

    `host` is a host name without a port, `target` has path and query, and `now` is the seconds since serving began.
    `conditions` are the fields of a conditional request, with names in lower case.
    """
    if not isinstance(web, Web):
        return web.answer(method, host, target, now, conditions)
    number = web.host_numbers.get(host)
    if number is None:
        return None
    server = web.hosts[number]
    if method not in ("GET", "HEAD"):
        return _text(405, "Only GET and HEAD are understood.", ("Allow", "GET, HEAD"))
    if target == PATH:
        found = _robots(server)
    elif server.hangs:
        return SimAnswer(200, [], hang=True)
    else:
        found = _page(web, server, target, now)
    if found.status == 200 and conditions and _unchanged(found, conditions):
        return SimAnswer(NOT_MODIFIED, found.headers, delay=server.delay)
    body = b"" if method == "HEAD" else found.body
    headers = [*found.headers, ("Content-Length", str(len(found.body)))]
    return SimAnswer(found.status, headers, body, server.delay)


def _unchanged(found: SimAnswer, conditions: Mapping[str, str]) -> bool:
    fields = {name.lower(): value for name, value in found.headers}
    return is_current(conditions, fields.get("etag", ""), fields.get("last-modified", ""))


def _page(web: Web, host: SimulatedHost, target: str, now: float) -> SimAnswer:
    listed = site_list(web, host, target)
    if listed is not None:
        return SimAnswer(200, [("Content-Type", listed[0])], listed[1])
    session = ""
    if host.trap == "session":
        target, session = split_session(target)
        session = next_session(web, target, session)
    page = web.page(f"http://{host.name}{target}")
    kind = web.pages.kind_of(page) if page is not None else PageKind.TRAP
    if kind is PageKind.TRAP:
        body = trap_page(web, host, target)
        return _html(host, body) if body is not None else _missing(web, host, target)
    assert page is not None
    if kind is PageKind.REDIRECT:
        return _redirect(web, host, page)
    if kind is PageKind.ERROR:
        if host.soft_404 and int(web.pages.status[page]) in (404, 410):
            return _missing(web, host, target)
        return _text(int(web.pages.status[page]), "This page cannot be shown.")
    if web.pages.flagged(page, Flag.BUSY) and (wait := _busy(page, now)):
        return _text(host.busy, "Please come back later.", ("Retry-After", str(wait)))
    version = version_of(web, page)
    if version is None:
        return _text(410 if page % 2 else 404, "This page is no longer here.")
    validators = _validators(host, page, version)
    if form_of(web, page) != "html":
        mime, body = file_of(web, page, version)
        return SimAnswer(200, [("Content-Type", mime), *validators], body)
    return _html(host, render(web, page, session, version), *validators)


def _busy(page: int, now: float) -> int:
    """Return the whole seconds until a busy page is available, 0 if it is available now."""
    turn = int(now // BUSY_SECONDS)
    return max(1, ceil((turn + 1) * BUSY_SECONDS - now)) if (turn + page) % 3 == 0 else 0


def _html(host: SimulatedHost, body: bytes, *headers: tuple[str, str]) -> SimAnswer:
    mime = "text/html" if host.charset_in_meta else f"text/html; charset={host.charset}"
    return SimAnswer(200, [("Content-Type", mime), *headers], body)


def _validators(host: SimulatedHost, page: int, version: int) -> list[tuple[str, str]]:
    """Return a host's validators for a version of a page: a date, a date and a tag, or none, depending on the host."""
    if host.trap == "session" or host.first % 4 == 0:
        return []
    modified = ("Last-Modified", format_datetime(_MADE + timedelta(days=version), usegmt=True))
    return [modified] if host.first % 4 == 1 else [modified, ("ETag", f'"{page:x}-{version}"')]


def _text(status: int, sentence: str, *headers: tuple[str, str]) -> SimAnswer:
    body = f"<html><head><title>{status}</title></head><body><h1>{status}</h1><p>{sentence}</p></body></html>"
    return SimAnswer(status, [("Content-Type", "text/html; charset=utf-8"), *headers], body.encode())


def _missing(web: Web, host: SimulatedHost, target: str) -> SimAnswer:
    """Return the answer to a wrong address; a host with soft 404s returns a long page with status 200."""
    return _html(host, soft_error(web, host, target)) if host.soft_404 else _text(404, "There is no such page here.")


def _redirect(web: Web, host: SimulatedHost, page: int) -> SimAnswer:
    to = web.urls[int(web.pages.to[page])]
    prefix = f"http://{host.name}/"
    # Every other redirect inside a host gives a relative address, as servers do.
    location = to[len(prefix) - 1 :] if to.startswith(prefix) and page % 2 else to
    return _text(int(web.pages.status[page]), "This page has moved.", ("Location", location))


def _robots(host: SimulatedHost) -> SimAnswer:
    status, body = robots_file(host)
    return SimAnswer(status, [("Content-Type", "text/plain; charset=utf-8")], body)

"""`thresher sessions`: the browsing sessions that a portal keeps."""

import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from thresher.api.crawl_work import carry_out
from thresher.cli.browsing_shapes import BrowsedPageData, SessionData, SessionsData
from thresher.cli.display import crawl_shown
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, Set
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, dim
from thresher.errors import InputError, UsageError
from thresher.runs.kept_sessions import unread_pages
from thresher.runs.plans import TrainingFetch
from thresher.sessions.session import UNREACHED, Session, VisitedPage
from thresher.store.browsing import BrowsingRow
from thresher.store.repository import open_store, require_portal
from thresher.types import Candidate

ACTIONS = ("list", "show", "fetch")


@app.command(epilog="Example: thresher sessions my-portal show 3")
def sessions(
    portal: Portal,
    action: Annotated[str, typer.Argument(metavar="[ACTION]", help=f"{', '.join(ACTIONS)}.")] = "list",
    number: Annotated[int | None, typer.Argument(metavar="[ID]", help="With show: the session.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="fetch: do it without asking.")] = False,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """List the browsing sessions, show the pages of one, or fetch the pages that the portal does not have.

    Sessions come from `thresher history PORTAL import` and from the browser extension. fetch shows the pages and asks;
    it crawls politely, as for training pages. Without it, pages are known by their titles alone.
    """
    if action not in ACTIONS:
        raise UsageError(f"There is no action '{action}'.", f"Choose one of: {', '.join(ACTIONS)}.")
    require_portal(portal)
    with closing(open_store(portal, read_only=True)) as store:
        rows, unread = store.browsing.all(), unread_pages(store)
    if action == "fetch":
        _fetch(portal, rows, unread, list(overrides or ()), yes, json)
        return
    if action == "show":
        rows = [row for row in rows if row.id == number]
        if not rows:
            raise InputError(f"There is no session {number or ''}".rstrip() + ".", "List them without an action.")
    if json:
        print_json(_data(portal, rows, unread, action == "show"))
        return
    if action == "show":
        _show(rows[0])
        return
    _list(portal, rows, unread)


def _list(portal: Path, rows: list[BrowsingRow], unread: list[str]) -> None:
    out = console()
    for row in rows:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.span[0])) if row.span else ""
        out.print(
            f"  {row.id:>5} ",
            bold(f"{row.source} {row.label}" if row.source not in row.label else row.label),
            f"  {counted(len(row.pages), 'page')}, {row.useful:,} useful  ",
            dim(when),
        )
    out.print(counted(len(rows), "session"))
    if not rows:
        out.print(f"Import some: {hint('history', portal, 'import')}")
    if unread:
        out.print(
            f"{counted(len(unread), 'page')} are not in the portal. Fetch them: {hint('sessions', portal, 'fetch')}"
        )


def _show(row: BrowsingRow) -> None:
    out = console()
    for page, clicks in zip(row.pages, _clicks(row), strict=True):
        said = "useful" if page.useful else "" if clicks is None else counted(clicks, "click")
        out.print(f"  {said:<8} ", page.title or page.url, "  ", dim(page.url))
    out.print(f"{counted(len(row.pages), 'page')}, {counted(len(row.links), 'link')}")


def _fetch(
    portal: Path, rows: list[BrowsingRow], unread: list[str], overrides: list[str], yes: bool, json: bool
) -> None:
    if not unread:
        if json:
            print_json({**_data(portal, rows, unread, False), "fetch": unread})
        else:
            console().print("The portal has all pages of the sessions.")
        return
    if not yes:
        if json:
            print_json({**_data(portal, rows, unread, False), "fetch": unread})
            return
        for url in unread:
            console().print(f"  {url}")
        console().print(f"{counted(len(unread), 'page')} would be fetched.")
        if not sys.stdin.isatty() or not typer.confirm("Fetch them?"):
            console().print("Nothing was fetched. To do it, repeat the command with --yes.")
            return
    candidates = [Candidate(url=url, priority=(1.0,)) for url in unread]
    plan = TrainingFetch(portal, candidates, overrides=overrides)
    headline = "Sessions: fetching the pages that were visited."
    raise typer.Exit(crawl_shown(portal, json, headline, lambda terminal: carry_out(plan, terminal)))


def _clicks(row: BrowsingRow) -> list[int | None]:
    """Return how many clicks each page is from a useful one, None if none leads there."""
    places = [place for place, page in enumerate(row.pages) if page.useful]
    session = Session([VisitedPage(page.url) for page in row.pages], row.links, places)
    return [None if hops == UNREACHED else hops for hops in session.distances()]


def _data(portal: Path, rows: list[BrowsingRow], unread: list[str], whole: bool) -> SessionsData:
    return {
        "portal": str(portal),
        "sessions": [_session(row, whole) for row in rows],
        "pages": len({page.url for row in rows for page in row.pages}),
        "useful": len({page.url for row in rows for page in row.pages if page.useful}),
        "links": sum(len(row.links) for row in rows),
        "unread": len(unread),
    }


def _session(row: BrowsingRow, whole: bool) -> SessionData:
    first, last = row.span or (None, None)
    told: SessionData = {
        "id": row.id,
        "source": row.source,
        "label": row.label,
        "first": first,
        "last": last,
        "pages": len(row.pages),
        "useful": row.useful,
        "links": len(row.links),
    }
    if whole:
        told["page_list"] = [_page(row, place, clicks) for place, clicks in enumerate(_clicks(row))]
    return told


def _page(row: BrowsingRow, place: int, clicks: int | None) -> BrowsedPageData:
    page = row.pages[place]
    return {"url": page.url, "title": page.title, "at": page.at, "useful": page.useful, "clicks": clicks}

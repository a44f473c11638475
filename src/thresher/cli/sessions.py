"""`thresher sessions`: the browsing sessions that a portal keeps."""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from thresher.api.browsing import Browsing, clicks_to_useful
from thresher.api.portal import Portal as OpenPortal
from thresher.api.reports import Report
from thresher.cli.browsing_shapes import BrowsedPageData, SessionData, SessionsData
from thresher.cli.display import Terminal, crawl_shown
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, Set, action_argument
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, dim
from thresher.errors import UsageError
from thresher.store.browsing import BrowsingRow

ACTIONS = ("list", "show", "fetch")


@app.command(epilog="Example: thresher sessions my-portal show 3")
def sessions(
    portal: Portal,
    action: Annotated[str, action_argument(ACTIONS)] = "list",
    number: Annotated[int | None, typer.Argument(metavar="[ID]", help="With show: the session.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="fetch: do not ask for confirmation.")] = False,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """List the browsing sessions, show the pages of one, or fetch the pages that the portal does not have.

    Sessions come from `thresher history PORTAL import` and from the browser extension. fetch lists the pages, asks for
    confirmation and fetches them politely. Until then only their titles are known.
    """
    if action not in ACTIONS:
        raise UsageError(f"There is no action '{action}'.", f"Choose one of: {', '.join(ACTIONS)}.")
    browsing = OpenPortal.open(portal).browsing
    unread = browsing.unread()
    rows = [browsing.session(number or 0)] if action == "show" else browsing.sessions()
    if action == "fetch":
        _fetch(portal, browsing, rows, list(overrides or ()), yes, json)
        return
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
        out.print(f"Not in the portal: {counted(len(unread), 'page')}.")
        out.print(f"Fetch what is missing: {hint('sessions', portal, 'fetch')}")


def _show(row: BrowsingRow) -> None:
    out = console()
    for page, clicks in zip(row.pages, clicks_to_useful(row), strict=True):
        said = "useful" if page.useful else "" if clicks is None else counted(clicks, "click")
        out.print(f"  {said:<8} ", page.title or page.url, "  ", dim(page.url))
    out.print(f"{counted(len(row.pages), 'page')}, {counted(len(row.links), 'link')}")


def _fetch(
    portal: Path, browsing: Browsing, rows: list[BrowsingRow], overrides: list[str], yes: bool, json: bool
) -> None:
    unread = browsing.unread()
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
            console().print("Nothing was fetched. To go ahead, repeat the command with --yes.")
            return

    def start(terminal: Terminal) -> Report:
        return browsing.fetch(settings=overrides, progress=terminal)

    raise typer.Exit(crawl_shown(portal, json, "Sessions: fetching the pages that were visited.", start))


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
        told["page_list"] = [_page(row, place, clicks) for place, clicks in enumerate(clicks_to_useful(row))]
    return told


def _page(row: BrowsingRow, place: int, clicks: int | None) -> BrowsedPageData:
    page = row.pages[place]
    return {"url": page.url, "title": page.title, "at": page.at, "useful": page.useful, "clicks": clicks}

"""`thresher history`: imports browsing sessions from a browser's history, shows and forgets them."""

import math
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from thresher.api.browsing import MINUTES, Browsing
from thresher.api.portal import Portal as OpenPortal
from thresher.cli.browsing_shapes import DomainData, HistoryData, ProfileData
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, action_argument
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, dim
from thresher.cli.times import moment
from thresher.errors import UsageError
from thresher.store.browsing import BrowsingRow
from thresher.web.urls import host_of, registered_domain

ACTIONS = ("show", "import", "forget", "profiles")
SHOWN = 20
"""Maximum number of domains and useful pages listed."""

Browser = Annotated[
    str, typer.Option("--browser", help="import: firefox, librewolf, chrome, chromium, edge, brave or vivaldi.")
]
File = Annotated[
    Path | None,
    typer.Option("--file", metavar="FILE", help="import: places.sqlite, History, or sessions in JSON Lines."),
]
Crawl = Annotated[
    int | None, typer.Option("--crawl", min=0, metavar="ID", help="import: an earlier crawl; 0 for the newest.")
]
Folder = Annotated[
    str,
    typer.Option(
        "--folder", metavar="NAME", help="import: only bookmarks in this folder mark pages as useful, as in Sea/Boats."
    ),
]
Domains = Annotated[
    list[str] | None, typer.Option("--domain", metavar="DOMAIN", help="Only pages of this domain; repeatable.")
]
Since = Annotated[
    str | None, typer.Option("--since", metavar="TIME", help="Start: a day such as 2026-01-31, or 30d for 30 days ago.")
]
Until = Annotated[str | None, typer.Option("--until", metavar="TIME", help="End, inclusive: a day, or how long ago.")]


@app.command(epilog="Example: thresher history my-portal import --browser firefox --folder Boats --since 90d")
def history(
    portal: Portal,
    action: Annotated[str, action_argument(ACTIONS)] = "show",
    browser: Browser = "",
    profile: Annotated[str, typer.Option("--profile", metavar="NAME", help="import: a profile of the browser.")] = "",
    file: File = None,
    crawl: Crawl = None,
    folder: Folder = "",
    since: Since = None,
    until: Until = None,
    domain: Domains = None,
    pause: Annotated[
        float,
        typer.Option("--pause", min=1.0, metavar="MINUTES", help="import: minutes without a visit that end a session."),
    ] = MINUTES,
    every: Annotated[
        bool, typer.Option("--all", help="import: also sessions without a useful page; forget: everything.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    json: Json = False,
) -> None:
    """Import browsing sessions from a browser's history, show what is kept, or forget it.

    show - import - forget - profiles (the browsers found on this machine). Bookmarked pages count as useful. import and
    forget show what they would do and ask for confirmation. Nothing is fetched, and nothing leaves this machine.
    """
    if action not in ACTIONS:
        raise UsageError(f"There is no action '{action}'.", f"Choose one of: {', '.join(ACTIONS)}.")
    now = time.time()
    start = moment("--since", since, now) if since else -math.inf
    end = moment("--until", until, now, end_of_day=True) if until else math.inf
    domains = domain or []
    browsing = OpenPortal.open(portal).browsing
    match action:
        case "profiles":
            _profiles(portal, browsing, json)
        case "show":
            _show(portal, browsing.sessions(domains=domains, since=start, until=end), json)
        case "forget":
            if not (every or domains or since or until):
                raise UsageError("Nothing was selected to forget.", "Give --domain, --since, --until or --all.")
            rows = browsing.sessions(domains=domains, since=start, until=end)
            _forget(portal, rows, yes, json, lambda: browsing.forget(domains=domains, since=start, until=end))
        case "import":
            rows = browsing.find(
                browser=browser,
                profile=profile,
                file=file,
                crawl=crawl,
                folder=folder,
                domains=domains,
                since=start,
                until=end,
                all_sessions=every,
                pause=pause,
            )
            _import(portal, browsing, rows, yes, json)


def _import(portal: Path, browsing: Browsing, rows: list[BrowsingRow], yes: bool, json: bool) -> None:
    if not json:
        _print(rows)
        _print_useful(rows)
    done = bool(rows) and _agreed(yes, json, "Keep these sessions in the portal?")
    new = browsing.keep(rows) if done else []
    if json:
        print_json({**_data(portal, "import", done, rows), "new": len(new)})
        return
    out = console()
    if not rows:
        out.print("No session has a useful page. Bookmarked pages count as useful; see --folder, --since and --all.")
    elif not done:
        out.print("Nothing was imported. To import these sessions, repeat the command with --yes.")
    else:
        known = f"  Already there: {counted(len(rows) - len(new), 'session')}." if len(new) < len(rows) else ""
        out.print(f"Kept {counted(len(new), 'session')}.{known}")
        out.print(f"Fetch their pages: {hint('sessions', portal, 'fetch')}")
        out.print(f"Learn from them: {hint('learn-paths', portal)}")


def _forget(
    portal: Path, rows: list[BrowsingRow], yes: bool, json: bool, forget: Callable[[], list[BrowsingRow]]
) -> None:
    if not json:
        _print(rows)
    done = bool(rows) and _agreed(yes, json, "Forget these pages?")
    if done:
        forget()
    if json:
        print_json(_data(portal, "forget", done, rows))
        return
    if not done:
        console().print("Nothing was forgotten." + (" To go ahead, repeat the command with --yes." if rows else ""))
        return
    console().print(f"Forgot {counted(len({page.url for row in rows for page in row.pages}), 'page')}.")
    console().print("Pages fetched in the meantime stay in the portal.")


def _show(portal: Path, rows: list[BrowsingRow], json: bool) -> None:
    if json:
        print_json(_data(portal, "show", True, rows))
        return
    _print(rows)
    if not rows:
        console().print(f"Import some: {hint('history', portal, 'import')}")


def _profiles(portal: Path, browsing: Browsing, json: bool) -> None:
    found: list[ProfileData] = [
        {"browser": one.browser, "profile": one.name, "file": str(one.history)} for one in browsing.profiles()
    ]
    if json:
        print_json({**_data(portal, "profiles", True, []), "profiles": found})
        return
    for one in found:
        console().print(f"  {one['browser']:<10} ", bold(one["profile"]), "  ", dim(one["file"]))
    console().print(counted(len(found), "profile"))


def _agreed(yes: bool, json: bool, question: str) -> bool:
    """Return whether the user agrees: by `--yes`, or when asked at a terminal."""
    if yes or json or not sys.stdin.isatty():
        return yes
    return typer.confirm(question)


def _data(portal: Path, action: str, done: bool, rows: Sequence[BrowsingRow]) -> HistoryData:
    return {
        "portal": str(portal),
        "action": action,
        "done": done,
        "sessions": len(rows),
        "pages": len({page.url for row in rows for page in row.pages}),
        "useful": len({page.url for row in rows for page in row.pages if page.useful}),
        "links": sum(len(row.links) for row in rows),
        "domains": _domains(rows),
    }


def _domains(rows: Sequence[BrowsingRow]) -> list[DomainData]:
    """Return the numbers of pages for each domain, most pages first."""
    urls: dict[str, set[str]] = {}
    useful: dict[str, set[str]] = {}
    times: dict[str, list[float]] = {}
    for page in (page for row in rows for page in row.pages):
        domain = registered_domain(host_of(page.url))
        urls.setdefault(domain, set()).add(page.url)
        useful.setdefault(domain, set()).update([page.url] if page.useful else [])
        times.setdefault(domain, []).extend([page.at] if page.at is not None else [])
    return [
        {
            "domain": domain,
            "pages": len(urls[domain]),
            "useful": len(useful[domain]),
            "first": min(times[domain], default=None),
            "last": max(times[domain], default=None),
        }
        for domain in sorted(urls, key=lambda domain: (-len(urls[domain]), domain))
    ]


def _print(rows: Sequence[BrowsingRow]) -> None:
    out, domains = console(), _domains(rows)
    for one in domains[:SHOWN]:
        days = ""
        if one["first"] is not None and one["last"] is not None:
            days = " to ".join(dict.fromkeys(_day(at) for at in (one["first"], one["last"])))
        out.print(f"  {one['pages']:>6,} ", bold(one["domain"]), f"  {one['useful']:,} useful  ", dim(days))
    if len(domains) > SHOWN:
        out.print(dim(f"  and {counted(len(domains) - SHOWN, 'more domain')}"))
    pages = {page.url for row in rows for page in row.pages}
    useful = {page.url for row in rows for page in row.pages if page.useful}
    links = sum(len(row.links) for row in rows)
    out.print(
        f"{counted(len(rows), 'session')}: {counted(len(pages), 'page')} of {counted(len(domains), 'domain')}, "
        f"{len(useful):,} useful, {counted(links, 'link')}."
    )


def _print_useful(rows: Sequence[BrowsingRow]) -> None:
    useful = {page.url: page.title for row in rows for page in row.pages if page.useful}
    if useful:
        console().print("Useful:")
    for url, title in list(useful.items())[:SHOWN]:
        console().print(f"  {title or url}  ", dim(url))
    if len(useful) > SHOWN:
        console().print(dim(f"  and {len(useful) - SHOWN:,} more"))


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))

"""`thresher sites`: finds whole websites, and lists, explains, exports and reviews them."""

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from thresher.cli.display import Display, watching
from thresher.cli.interrupts import run_until_interrupted
from thresher.cli.main import INTERRUPTED, app
from thresher.cli.options import Json, Portal, Set
from thresher.cli.output import console, counted, crawl_summary, hint, print_json, stop_reason
from thresher.cli.screen import bold, dim
from thresher.cli.site_story import print_story, require_run, require_story
from thresher.config.load import load
from thresher.crawl.budget import Stop
from thresher.errors import InputError, UsageError, command
from thresher.exports.site_files import ending_of, site_object, write_sites
from thresher.runs.plans import RunResult
from thresher.runs.site_explanation import as_data
from thresher.runs.site_verdicts import judge_again, sites_of
from thresher.runs.sites import SiteGoals, find_sites
from thresher.site_types import SiteRow, SiteState, SiteVerdict
from thresher.store.locks import CrawlLock
from thresher.store.protocol import Store
from thresher.store.repository import open_store
from thresher.strategies.websites.ending import windows

ACTIONS = ("run", "list", "show", "export", "accept", "reject")
STEPS = 20
BARS = "▁▂▃▄▅▆▇█"


@app.command(epilog="Example: thresher sites my-portal run --want 200")
def sites(
    portal: Portal,
    action: Annotated[str, typer.Argument(metavar="[ACTION]", help=f"{', '.join(ACTIONS)}.")] = "list",
    words: Annotated[list[str] | None, typer.Argument(metavar="[WORDS]...", help="Arguments of the action.")] = None,
    want: Annotated[int, typer.Option("--want", min=0, help="run: stop after so many relevant sites; 0: never.")] = 500,
    pages: Annotated[int, typer.Option("--pages", min=0, help="run: page budget; 0: none.")] = 20_000,
    confidence: Annotated[
        float, typer.Option("--confidence", min=0.51, max=0.999, help="run: probability at which a site is decided.")
    ] = 0.9,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="run: start over even if the last run could continue.")
    ] = False,
    topic: Annotated[str | None, typer.Option("--topic", help="list, export: only sites of this topic.")] = None,
    every: Annotated[bool, typer.Option("--all", help="list, export: sites that are not relevant, too.")] = False,
    number: Annotated[int, typer.Option("--number", min=1, help="list: how many sites.")] = 20,
    page: Annotated[int, typer.Option("--page", min=1, help="list: page of the list, from 1.")] = 1,
    force: Annotated[bool, typer.Option("--force", help="export: overwrite an existing file.")] = False,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Find whole websites of your topics; every bookmark names a site.

    run - list - show SITE - export FILE.csv|.jsonl|.html - accept SITE... - reject SITE...
    """
    given = words or []
    match action:
        case "run":
            goals = SiteGoals(want, pages, confidence)
            raise typer.Exit(_run(portal, goals, overrides or [], fresh, json))
        case "list":
            _list(portal, topic, every, number, page, json)
        case "show":
            _show(portal, given, json)
        case "export":
            _export(portal, given, topic, every, force, json)
        case "accept" | "reject":
            _decide(portal, given, action == "accept", overrides or [], json)
        case _:
            raise UsageError(f"There is no action '{action}'.", f"Choose one of: {', '.join(ACTIONS)}.")


def _run(portal: Path, goals: SiteGoals, overrides: list[str], fresh: bool, json: bool) -> int:
    out = console(stderr=json)

    async def under_display() -> RunResult | None:
        with Display(out) as display:
            return await find_sites(portal, goals, overrides, watching(display), fresh=fresh)

    outcome = run_until_interrupted(under_display())
    if outcome is None:
        out.print("Interrupted; everything fetched is kept. Continue: ", bold(hint("sites", portal, "run")))
        return INTERRUPTED
    progress = outcome.progress
    decided, relevant, _ = progress.sites or (0, 0, 0)
    with closing(open_store(portal, read_only=True)) as store:
        found = [row.found for row in store.sites.listed(outcome.crawl.id, [SiteState.RELEVANT])]
    curve = windows(found, progress.pages, max(1, progress.pages // STEPS))[:STEPS]
    if json:
        summary = crawl_summary(str(portal), outcome.crawl, progress)
        counts = {"examined": decided, "relevant": relevant, "pages_per_relevant_site": _each(progress.pages, relevant)}
        print_json({**summary, "sites": counts, "curve": curve})
    else:
        out.print(
            bold(counted(relevant, "relevant site")),
            f" among {decided:,} examined, with {counted(progress.pages, 'page')}; "
            f"stopped: {stop_reason(progress.stopped_because)}.",
        )
        if relevant:
            each = _each(progress.pages, relevant)
            out.print(f"{each:.1f} pages per relevant site; sites found along the way: ", _bars(curve))
        out.print("List them: ", bold(hint("sites", portal, "list")))
    return INTERRUPTED if progress.stopped_because == Stop.INTERRUPTED else 0


def _each(pages: int, relevant: int) -> float | None:
    return round(pages / relevant, 2) if relevant else None


def _bars(curve: Sequence[int]) -> str:
    most = max(curve, default=0) or 1
    return "".join(BARS[value * (len(BARS) - 1) // most] for value in curve)


def _wanted(portal: Path, store: Store, topic: str | None, every: bool) -> list[SiteRow]:
    states = list(SiteState) if every else [SiteState.RELEVANT]
    return sites_of(store, require_run(portal, store), states, topic)


def _list(portal: Path, topic: str | None, every: bool, number: int, page: int, json: bool) -> None:
    with closing(open_store(portal, read_only=True)) as store:
        found = _wanted(portal, store, topic, every)
    first = (page - 1) * number
    part = found[first : first + number]
    if json:
        rows = [site_object(row) for row in part]
        print_json({"portal": str(portal), "topic": topic, "sites": rows, "total": len(found)})
        return
    out = console()
    if not found:
        out.print("No relevant sites yet. Look for some: ", bold(hint("sites", portal, "run")))
        return
    out.print(f"{counted(len(found), 'site')}, the most probable first.")
    for row in part:
        state = "" if row.state is SiteState.RELEVANT else f"  {row.state.value}"
        out.print(f"{row.posterior:6.2f}  ", bold(row.site), dim(f"  {row.topic}, {counted(row.pages, 'page')}{state}"))
    if first or first + len(part) < len(found):
        more = hint("sites", portal, "export", "sites.csv")
        out.print(dim(f"Showing {first + 1:,}-{first + len(part):,}. All of them: {more}"))


def _show(portal: Path, given: list[str], json: bool) -> None:
    if len(given) != 1:
        raise UsageError("Name one site.", f"For example: {command('sites', portal, 'show', 'example.org')}")
    with closing(open_store(portal, read_only=True)) as store:
        told = require_story(portal, store, require_run(portal, store), given[0])
    if json:
        print_json(as_data(told))
    else:
        print_story(told)


def _export(portal: Path, given: list[str], topic: str | None, every: bool, force: bool, json: bool) -> None:
    if len(given) != 1:
        raise UsageError("Name one file.", f"For example: {command('sites', portal, 'export', 'sites.csv')}")
    file = Path(given[0])
    ending_of(file)
    with closing(open_store(portal, read_only=True)) as store:
        crawl = require_run(portal, store)
        found = [(row, store.sites.pages(crawl.id, row.site)) for row in _wanted(portal, store, topic, every)]
    write_sites(file, found, force=force)
    if json:
        print_json({"portal": str(portal), "topic": topic, "file": str(file), "total": len(found)})
    else:
        console().print(f"Wrote {counted(len(found), 'site')} to ", bold(file), ".")


def _decide(portal: Path, given: list[str], accepted: bool, overrides: list[str], json: bool) -> None:
    """Keep what a person says of sites, learn from it and judge all sites anew."""
    if not given:
        action = "accept" if accepted else "reject"
        raise UsageError("Name a site.", f"For example: {command('sites', portal, action, 'example.org')}")
    settings = load(portal, overrides).settings
    with CrawlLock(portal):
        with closing(open_store(portal)) as store:
            crawl = require_run(portal, store)
            rows = {site: store.sites.get(crawl.id, site) for site in given}
            for site, row in rows.items():
                if row is None or not row.topic:
                    raise InputError(
                        f"{site[:200]} is not a site that was read.",
                        f"List them: {command('sites', portal, 'list', '--all')}",
                    )
            for row in rows.values():
                if row is not None:
                    said = SiteVerdict(site=row.site, topic=row.topic, accepted=accepted, home=row.home, at=time.time())
                    store.sites.say(said)
        changed = judge_again(portal, settings, time.time())
    if json:
        print_json({"portal": str(portal), "sites": given, "accepted": accepted, "changed": changed})
    else:
        done = "Accepted" if accepted else "Rejected"
        console().print(f"{done} {counted(len(given), 'site')}; the verdict on {counted(changed, 'site')} changed.")

"""`thresher sites`: finds whole websites, and lists, explains, exports and reviews them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from thresher.api.portal import Portal as OpenPortal
from thresher.api.reports import Interrupted
from thresher.api.sites import SitesReport
from thresher.cli.display import Terminal
from thresher.cli.main import INTERRUPTED, app
from thresher.cli.options import Json, Portal, Set, action_argument
from thresher.cli.output import console, counted, hint, print_json, stop_reason
from thresher.cli.screen import bold, dim
from thresher.cli.site_story import show_site
from thresher.errors import UsageError, command
from thresher.exports.site_files import site_object
from thresher.site_types import SiteState

ACTIONS = ("run", "list", "show", "export", "accept", "reject", "learn")
BARS = "▁▂▃▄▅▆▇█"


@app.command(epilog="Example: thresher sites my-portal run --want 200")
def sites(
    portal: Portal,
    action: Annotated[str, action_argument(ACTIONS)] = "list",
    words: Annotated[list[str] | None, typer.Argument(metavar="[WORDS]...", help="Arguments of the action.")] = None,
    want: Annotated[int, typer.Option("--want", min=0, help="run: stop after N relevant sites; 0 for no limit.")] = 500,
    pages: Annotated[int, typer.Option("--pages", min=0, help="run: page budget; 0 for no limit.")] = 20_000,
    confidence: Annotated[
        float,
        typer.Option("--confidence", min=0.51, max=0.999, help="run: probability at which a site counts as decided."),
    ] = 0.9,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="run: start over even if the last run could continue.")
    ] = False,
    topic: Annotated[str | None, typer.Option("--topic", help="list, export: only sites of this topic.")] = None,
    every: Annotated[bool, typer.Option("--all", help="list, export: include sites that are not relevant.")] = False,
    number: Annotated[int, typer.Option("--number", min=1, help="list: how many sites.")] = 20,
    page: Annotated[int, typer.Option("--page", min=1, help="list: page of the list, from 1.")] = 1,
    force: Annotated[bool, typer.Option("--force", help="export: overwrite an existing file.")] = False,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Find whole websites on your topics; every bookmark stands for a site.

    run - list - show SITE - export FILE.csv|.jsonl|.html - accept SITE... - reject SITE... - learn
    """
    given = words or []
    match action:
        case "run":
            raise typer.Exit(_run(portal, want, pages, confidence, fresh, overrides, json))
        case "list":
            _list(portal, topic, every, number, page, json)
        case "show":
            if len(given) != 1:
                raise UsageError("Give one site.", f"For example: {command('sites', portal, 'show', 'example.org')}")
            show_site(portal, given[0], json)
        case "export":
            _export(portal, given, topic, every, force, json)
        case "accept" | "reject":
            _decide(portal, given, action == "accept", overrides, json)
        case "learn":
            _learn(portal, overrides, json)
        case _:
            raise UsageError(f"There is no action '{action}'.", f"Choose one of: {', '.join(ACTIONS)}.")


def _run(
    portal: Path, want: int, pages: int, confidence: float, fresh: bool, overrides: list[str] | None, json: bool
) -> int:
    out, code = console(stderr=json), 0
    try:
        report = OpenPortal.open(portal).sites.run(
            want=want, pages=pages, confidence=confidence, fresh=fresh, settings=overrides, progress=Terminal(out)
        )
    except Interrupted as interrupted:
        if not isinstance(interrupted.report, SitesReport):
            out.print("Interrupted; everything fetched is kept. Continue: ", bold(hint("sites", portal, "run")))
            return INTERRUPTED
        report, code = interrupted.report, INTERRUPTED
    if json:
        print_json(report.site_summary(str(portal)))
        return code
    out.print(
        bold(counted(report.relevant, "relevant site")),
        f" among {report.examined:,} examined, with {counted(report.pages, 'page')}; "
        f"stopped: {stop_reason(report.stopped_because)}.",
    )
    if report.relevant:
        each = report.pages / report.relevant
        out.print(f"{each:.1f} pages per relevant site; sites found along the way: ", _bars(report.curve))
    out.print("List them: ", bold(hint("sites", portal, "list")))
    return code


def _bars(curve: Sequence[int]) -> str:
    most = max(curve, default=0) or 1
    return "".join(BARS[value * (len(BARS) - 1) // most] for value in curve)


def _list(portal: Path, topic: str | None, every: bool, number: int, page: int, json: bool) -> None:
    with OpenPortal.open(portal) as opened:
        found = opened.sites.listed(topic, every=every)
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
    own = sum(row.bookmarked for row in found)
    out.print(f"{counted(len(found), 'site')}, the most probable first{f'; {own:,} bookmarked' if own else ''}.")
    for row in part:
        state = "" if row.state is SiteState.RELEVANT else f", {row.state.value}"
        state += ", bookmarked" if row.bookmarked else ""
        out.print(f"{row.posterior:6.2f}  ", bold(row.site), dim(f"  {row.topic}, {counted(row.pages, 'page')}{state}"))
    if first or first + len(part) < len(found):
        asked = [*(["--topic", topic] if topic else []), *(["--all"] if every else [])]
        more = hint("sites", portal, "export", "sites.csv", *asked)
        out.print(dim(f"Showing {first + 1:,}-{first + len(part):,}. All of them: {more}"))


def _export(portal: Path, given: list[str], topic: str | None, every: bool, force: bool, json: bool) -> None:
    if len(given) != 1:
        raise UsageError("Give one file.", f"For example: {command('sites', portal, 'export', 'sites.csv')}")
    file = Path(given[0])
    with OpenPortal.open(portal) as opened:
        total = opened.sites.export(file, topic, every=every, overwrite=force)
    if json:
        print_json({"portal": str(portal), "topic": topic, "file": str(file), "total": total})
    else:
        console().print(f"Wrote {counted(total, 'site')} to ", bold(file), ".")


def _decide(portal: Path, given: list[str], accepted: bool, overrides: list[str] | None, json: bool) -> None:
    with OpenPortal.open(portal) as opened:
        decide = opened.sites.accept if accepted else opened.sites.reject
        changed = decide(*given, settings=overrides)
    if json:
        print_json({"portal": str(portal), "sites": given, "accepted": accepted, "changed": changed})
    else:
        done = "Accepted" if accepted else "Rejected"
        console().print(f"{done} {counted(len(given), 'site')}; the verdict on {counted(changed, 'site')} changed.")


def _learn(portal: Path, overrides: list[str] | None, json: bool) -> None:
    with OpenPortal.open(portal) as opened:
        changed = opened.sites.learn(settings=overrides)
    if json:
        print_json({"portal": str(portal), "changed": changed})
    else:
        console().print(f"Learned from your decisions; the verdict on {counted(changed, 'site')} changed.")

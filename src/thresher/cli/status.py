"""`thresher status`: how a crawl is getting on."""

from datetime import datetime
from pathlib import Path

from thresher.api.portal import Portal as OpenPortal
from thresher.api.status import Status
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, going_on, hint, print_json, stop_reason
from thresher.cli.screen import Screen, bold, dim
from thresher.cli.topic_notes import show_advice, warn_of_changed_topics
from thresher.crawl.budget import Stop
from thresher.reasons import MEANING, Reason
from thresher.store.records import CrawlKind, CrawlRow

SLOWER = 1.05
"""Slowdowns below this factor are not shown."""


@app.command(epilog="Example: thresher status my-portal --json")
def status(portal: Portal, json: Json = False) -> None:
    """Show the latest crawl: pages, rate, queue, pages in flight, errors and refusals."""
    with OpenPortal.open(portal) as opened:
        crawl, summary = opened.crawls.latest(), opened.status()
    if json:
        print_json(summary)
        return
    out = console()
    if crawl is None:
        out.print(f"{portal} has not been crawled yet. Start with: {hint('crawl', portal)}")
        show_advice(out, summary["advice"])
        return
    _show(out, portal, crawl, summary)
    show_advice(out, summary["advice"])
    if summary["topics_changed"]:
        warn_of_changed_topics(out, portal)
    if summary["process"] is None and summary["state"] == "stopped":
        out.print(_next(portal, crawl, summary))


def _show(out: Screen, portal: Path, crawl: CrawlRow, summary: Status) -> None:
    running = summary["process"]
    by = f" (process {running})" if running else ""
    why = f": {stop_reason(summary['stopped_because'])}" if summary["stopped_because"] else ""
    how = "" if crawl.kind in (CrawlKind.REFRESH, CrawlKind.TRAIN) else f" (strategy: {crawl.strategy})"
    out.print(bold(portal), f": {crawl.kind.capitalize()} #{crawl.id}{how} {summary['state']}{by}{why}")
    out.print(
        f"  pages      {summary['pages']:,} in {summary['seconds']:,.0f} s ({summary['pages_per_second']:.1f} pages/s)"
    )
    if crawl.progress.accepted is not None:
        out.print(f"  accepted   {crawl.progress.accepted:,} ({summary['harvest_rate']:.0%} of pages)")
    if crawl.kind is CrawlKind.REFRESH:
        changes = f"{summary['changed']:,} changed, {summary['gone']:,} gone"
        out.print(f"  checked    {summary['unchanged']:,} unchanged, {changes}")
    if summary["duplicates"]:
        out.print(f"  duplicates {summary['duplicates']:,} (same text as a stored page, so not stored again)")
    if summary["reused"]:
        out.print(f"  reused     {summary['reused']:,} (read from the portal, not fetched again)")
    out.print(f"  queued     {summary['queued']:,}, dropped {summary['cut']:,}")
    if summary["slower"] > SLOWER:
        waits = f"; {counted(summary['withheld'], 'host')} on hold" if running else ""
        out.print(f"  focus      {summary['slower']:.1f}x slower than possible, to wait for better pages{waits}")
    out.print(f"  in flight  {summary['in_flight']:,} (fetched again if the crawl is killed)")
    for outcome, reasons in (("errors", summary["errors"]), ("refused", summary["refused"])):
        for reason, number in sorted(reasons.items(), key=lambda item: -item[1]):
            out.print(f"  {outcome:10} {number:>8,}  {reason:<22} ", dim(_meaning(reason)))
    languages = [f"{code} {number:,}" for code, number in summary["wrong_languages"].items()]
    if languages:
        out.print(f"  languages  {', '.join(languages)} rejected")
    if summary["trained"] is not None:
        when = datetime.fromtimestamp(summary["trained"]).astimezone().isoformat(sep=" ", timespec="seconds")
        rounds = counted(summary["rounds"], "round")
        out.print(f"  model      {summary['model']}, step {summary['step']}, {when}, {rounds} of retraining")
    for topic, number in summary["topics"].items():
        taught = summary["archetypes"].get(topic, 0)
        beside = f" (trained on {counted(taught, 'archetype')} besides your pages)" if taught else ""
        out.print(f"  topic      {number:>8,}  {topic}{beside}")


def _next(portal: Path, crawl: CrawlRow, summary: Status) -> str:
    """Return what to do about a stopped crawl."""
    if summary["demo"]:
        return f"This demo's web is gone, so the crawl cannot continue. Start over: {hint('demo', '--portal', portal)}"
    if crawl.kind in (CrawlKind.TRAIN, CrawlKind.LEARN):
        return f"Continue: {hint('run', portal)}"
    if crawl.run is not None:
        more = ("--pages", 2 * summary["run_pages"]) if summary["stopped_because"] == Stop.PAGES else ()
        return f"Continue: {hint('run', portal, *more)}"
    return f"Continue: {going_on(portal, crawl, crawl.progress)}"


def _meaning(reason: str) -> str:
    """Return what a reason means; empty if a newer version wrote it."""
    return MEANING[Reason(reason)] if reason in set(Reason) else ""

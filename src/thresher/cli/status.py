"""`thresher status`: how a crawl is getting on."""

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, crawl_summary, going_on, hint, print_json, stop_reason
from thresher.cli.screen import Screen, bold, dim
from thresher.cli.topic_notes import show_advice, warn_of_changed_topics
from thresher.crawl.budget import Stop
from thresher.portals import DEMO, load_topics
from thresher.reasons import MEANING, Reason
from thresher.runs.run_budget import account_of
from thresher.store.crawl_history import latest_crawl
from thresher.store.locks import Holder, holder
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, CrawlRow, CrawlState, Progress
from thresher.store.repository import open_store
from thresher.taxonomy.example_sites import topics_of_one_site
from thresher.train.changed_topics import topics_changed

SLOWER = 1.05
"""Slowdowns below this factor are not shown."""


@app.command(epilog="Example: thresher status my-portal --json")
def status(portal: Portal, json: Json = False) -> None:
    """Show the latest crawl: pages, rate, queue, pages in flight, errors and refusals."""
    store = open_store(portal, read_only=True)
    try:
        crawl = latest_crawl(store)
        changed = topics_changed(portal, store)
        also = {
            "topics_changed": changed,
            "wrong_languages": _wrong_languages(store, crawl),
            "topics": _pages_of_topics(store),
            **_model(store),
            "demo": (portal / DEMO).exists(),
            "advice": topics_of_one_site(load_topics(portal)),
        }
        run_pages = account_of(store).pages
    finally:
        store.close()
    out = console()
    if crawl is None:
        if json:
            nothing = crawl_summary(str(portal), None, Progress(state=CrawlState.STOPPED))
            print_json({**nothing, **also})
        else:
            out.print(f"{portal} has not been crawled yet. Start with: {hint('crawl', portal)}")
            show_advice(out, also["advice"])
        return
    summary = {**crawl_summary(str(portal), crawl, crawl.progress), **also}
    running = holder(portal)
    if running is None and crawl.progress.state in (CrawlState.RUNNING, CrawlState.PAUSED):
        summary["state"], summary["stopped_because"] = "stopped", "killed"
    if json:
        print_json(summary)
        return
    _show(out, portal, crawl, running, summary)
    show_advice(out, summary["advice"])
    if changed:
        warn_of_changed_topics(out, portal)
    if running is None and summary["state"] == "stopped":
        out.print(_next(portal, crawl, summary, run_pages))


def _show(out: Screen, portal: Path, crawl: CrawlRow, running: Holder | None, summary: dict[str, Any]) -> None:
    by = f" (process {running.pid})" if running else ""
    why = f": {stop_reason(summary['stopped_because'])}" if summary["stopped_because"] else ""
    how = "" if crawl.kind in (CrawlKind.REFRESH, CrawlKind.TRAIN) else f" (strategy: {crawl.strategy})"
    out.print(bold(portal), f": {crawl.kind.capitalize()} #{crawl.id}{how} {summary['state']}{by}{why}")
    out.print(
        f"  pages      {summary['pages']:,} in {summary['seconds']:,.0f} s ({summary['pages_per_second']:.1f} pages/s)"
    )
    if crawl.progress.accepted is not None:
        out.print(f"  accepted   {crawl.progress.accepted:,} ({summary['harvest_rate']:.0%} of pages)")
    if crawl.kind is CrawlKind.REFRESH:
        out.print("  checked    " + ", ".join(f"{summary[kind]:,} {kind}" for kind in ("unchanged", "changed", "gone")))
    if summary["duplicates"]:
        out.print(f"  duplicates {summary['duplicates']:,} (same text as a stored page, so not stored again)")
    if summary["reused"]:
        out.print(f"  reused     {summary['reused']:,} (read from the portal, not fetched again)")
    out.print(f"  queued     {summary['queued']:,}, dropped {summary['cut']:,}")
    if summary["slower"] > SLOWER:
        waits = f"; {counted(summary['withheld'], 'host')} on hold" if running else ""
        out.print(f"  focus      {summary['slower']:.1f}x slower than possible, to wait for better pages{waits}")
    out.print(f"  in flight  {summary['in_flight']:,} (fetched again if the crawl is killed)")
    for outcome in ("errors", "refused"):
        for reason, number in sorted(summary[outcome].items(), key=lambda item: -item[1]):
            out.print(f"  {outcome:10} {number:>8,}  {reason:<22} ", dim(_meaning(reason)))
    languages = [f"{code} {number:,}" for code, number in summary["wrong_languages"].items()]
    if languages:
        out.print(f"  languages  {', '.join(languages)} rejected")
    if summary["model"]:
        when = datetime.fromtimestamp(summary["trained"]).astimezone().isoformat(sep=" ", timespec="seconds")
        rounds = counted(summary["rounds"], "round")
        out.print(f"  model      {summary['model']}, step {summary['step']}, {when}, {rounds} of retraining")
    for topic, number in summary["topics"].items():
        taught = summary["archetypes"].get(topic, 0)
        beside = f" (trained on {counted(taught, 'archetype')} besides your pages)" if taught else ""
        out.print(f"  topic      {number:>8,}  {topic}{beside}")


def _next(portal: Path, crawl: CrawlRow, summary: dict[str, Any], run_pages: int) -> str:
    """Return what to do about a stopped crawl; `run_pages` counts the pages of the whole run."""
    if summary["demo"]:
        return f"This demo's web is gone, so the crawl cannot continue. Start over: {hint('demo', '--portal', portal)}"
    if crawl.kind in (CrawlKind.TRAIN, CrawlKind.LEARN):
        return f"Continue: {hint('run', portal)}"
    if crawl.run is not None:
        spent = summary["stopped_because"] == Stop.PAGES
        return f"Continue: {hint('run', portal, *(('--pages', 2 * run_pages) if spent else ()))}"
    return f"Continue: {going_on(portal, crawl, crawl.progress)}"


def _meaning(reason: str) -> str:
    """Return what a reason means; nothing for one that a newer version wrote."""
    return MEANING[Reason(reason)] if reason in set(Reason) else ""


def _pages_of_topics(store: Store) -> dict[str, int]:
    """Return how many stored pages each topic has, in the order of the topics' paths."""
    found: Counter[str] = Counter()
    for row in store.documents.counts():
        if row.topic is not None:
            found[row.topic] += row.pages
    return dict(sorted(found.items()))


def _model(store: Store) -> dict[str, Any]:
    """Return the model in use: its name, step and time, None where the portal was not trained, and what taught it.

    `rounds` are the rounds of retraining behind it, `archetypes` how many pages that were found teach each topic.
    """
    newest = store.models.newest()
    rounds = [row for row in store.models.all() if "change" in (row.report or {}) and not row.rolled_back]
    report = (newest.report if newest else None) or {}
    # Reports of earlier versions have the numbers with each topic.
    earlier = {row["topic"]: row["archetypes"] for row in report.get("topics", []) if row["archetypes"]}
    return {
        "model": Path(newest.file).stem if newest else None,
        "step": newest.step if newest else None,
        "trained": newest.at if newest else None,
        "rounds": len(rounds),
        "archetypes": report.get("by_topic", earlier),
    }


def _wrong_languages(store: Store, crawl: CrawlRow | None) -> dict[str, int]:
    """Return how many pages the gate turned away in each language, `unknown` for those it cannot tell."""
    if crawl is None or Reason.WRONG_LANGUAGE.value not in crawl.progress.errors:
        return {}
    return {code or "unknown": number for code, number in store.log.details(crawl.id, Reason.WRONG_LANGUAGE).items()}

"""`thresher status`: how a crawl is getting on."""

from thresher.cli.changed_topics import warn_of_changed_topics
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, crawl_summary, plain, print_json, program
from thresher.crawl.budget import Stop
from thresher.crawl.neighbourhood import TRAIN
from thresher.crawl.phases.kinds import LEARN
from thresher.crawl.recheck import REFRESH
from thresher.reasons import Reason
from thresher.store.locks import holder
from thresher.store.protocol import Store
from thresher.store.records import CrawlRow, CrawlState, Progress
from thresher.store.sqlite.store import open_store
from thresher.train.changed_topics import topics_changed


@app.command(epilog="Example: thresher status my-portal --json")
def status(portal: Portal, json: Json = False) -> None:
    """Show the newest crawl: pages, rate, queue, what a kill would cost, errors and refusals by reason."""
    store = open_store(portal, read_only=True)
    try:
        crawl = store.crawls.get()
        changed = topics_changed(portal, store)
        languages = _wrong_languages(store, crawl)
    finally:
        store.close()
    out = console()
    name = plain(str(portal))
    if crawl is None:
        if json:
            nothing = crawl_summary(str(portal), None, Progress(state=CrawlState.STOPPED))
            print_json({**nothing, "topics_changed": changed, "wrong_languages": {}})
        else:
            out.print(f"{name} has not been crawled yet. Start with: {program()} crawl {name}")
        return
    also = {"topics_changed": changed, "wrong_languages": languages}
    summary = {**crawl_summary(str(portal), crawl, crawl.progress), **also}
    running = holder(portal)
    if running is None and crawl.progress.state in (CrawlState.RUNNING, CrawlState.PAUSED):
        summary["state"], summary["stopped_because"] = "stopped", "killed"
    if json:
        print_json(summary)
        return
    by = f" (process {running.pid})" if running else ""
    why = f", because: {summary['stopped_because']}" if summary["stopped_because"] else ""
    how = "" if crawl.kind in (REFRESH, TRAIN) else f" with {crawl.strategy}"
    out.print(f"[bold]{name}[/]: {crawl.kind} {crawl.id}{how} is {summary['state']}{by}{why}")
    out.print(
        f"  pages      {summary['pages']:,} in {summary['seconds']:,.0f} s, {summary['pages_per_second']:.1f} a second"
    )
    if crawl.progress.accepted is not None:
        out.print(f"  accepted   {crawl.progress.accepted:,} ({summary['harvest_rate']:.0%} of the pages)")
    if crawl.kind == REFRESH:
        out.print("  checked    " + ", ".join(f"{summary[kind]:,} {kind}" for kind in ("unchanged", "changed", "gone")))
    if summary["duplicates"]:
        out.print(f"  duplicates {summary['duplicates']:,} (same text as a stored page: not stored again)")
    out.print(f"  queued     {summary['queued']:,}, cut {summary['cut']:,}")
    out.print(f"  in flight  {summary['in_flight']:,} (taken and not yet written: fetched again after a kill)")
    for counted in ("errors", "refused"):
        for reason, number in sorted(summary[counted].items(), key=lambda item: -item[1]):
            out.print(f"  {counted:10} {number:>8,}  {reason}")
    if languages:
        out.print(
            "  languages  " + ", ".join(f"{code} {number:,}" for code, number in languages.items()) + " turned away"
        )
    if changed:
        warn_of_changed_topics(out, portal)
    if running is None and summary["state"] == "stopped":
        more = f" --pages {2 * summary['pages']}" if summary["stopped_because"] == Stop.PAGES else ""
        following = f"run {name}" if crawl.kind in (TRAIN, LEARN) else f"resume {name}{more}"
        out.print(f"Go on with: {program()} {following}")


def _wrong_languages(store: Store, crawl: CrawlRow | None) -> dict[str, int]:
    """Return how many pages the gate turned away in each language, `unknown` for those it cannot tell."""
    if crawl is None or Reason.WRONG_LANGUAGE.value not in crawl.progress.errors:
        return {}
    return {code or "unknown": number for code, number in store.log.details(crawl.id, Reason.WRONG_LANGUAGE).items()}

"""Which commands do the work that was started from the web portal."""

from pathlib import Path

from thresher.config.load import load
from thresher.runs.run_budget import RunBudget, account_of
from thresher.runs.whole import Stage, next_stage
from thresher.store.crawl_history import resumable_crawl
from thresher.store.protocol import Store
from thresher.store.work_records import WorkKind, WorkRow


def commands_of(row: WorkRow, portal: Path, store: Store) -> list[list[str]]:
    """Return the commands for some work; links are scored again after commands that change them."""
    folder = str(portal)
    hours = ["--hours", repr(row.hours)] if row.hours else []
    pages = ["--pages", str(row.pages)] if row.pages else []
    rank = ["rank", folder, "--number", "3"]
    match row.kind:
        case WorkKind.RUN:
            return [["run", folder, *_run_pages(row, portal, store), *hours], rank]
        case WorkKind.HARVEST:
            return [["harvest", folder, *pages, *hours, "--fresh"], rank]
        case WorkKind.RESUME:
            return [["resume", folder, *_resumed_pages(row, store), *hours], rank]
        case WorkKind.REFRESH:
            onward = ["harvest", folder, *pages, *hours, "--fresh", "--from-hubs"]
            follow = [onward] if row.pages and store.models.newest() else []
            return [["refresh", folder, *hours], *follow, rank]
        case WorkKind.SPLIT | WorkKind.FILTER | WorkKind.DEDUPE | WorkKind.PEERS:
            return [[row.kind.value, folder, "--json", *row.arguments]]
        case WorkKind.INDEX:
            return [["index", folder, "--rebuild"]]
        case WorkKind.RANK:
            return [rank]
        case _:
            return [[row.kind.value, folder, *row.arguments]]


def _run_pages(row: WorkRow, portal: Path, store: Store) -> list[str]:
    """Return the budget of a run: the given number of pages on top of those it has; a new run if it is done."""
    if not row.pages:
        return []
    total = account_of(store).pages + row.pages
    settings = load(portal).settings
    if next_stage(store, settings, RunBudget(total)) is Stage.DONE:
        return ["--pages", str(row.pages), "--fresh"]
    return ["--pages", str(total)]


def _resumed_pages(row: WorkRow, store: Store) -> list[str]:
    """Return the budget of a resumed crawl: the given number of pages on top of those it has."""
    crawl = resumable_crawl(store)
    return ["--pages", str(crawl.progress.pages + row.pages)] if crawl is not None and row.pages else []

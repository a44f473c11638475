"""Resuming: a crawl continues with the settings it began with."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from thresher.config.load import RENAMED, defaults, flat, given_values, load, nested, validated
from thresher.config.settings import Settings
from thresher.crawl.phases.predecessor import INHERITED
from thresher.crawl.phases.query_start import TakenOver
from thresher.crawl.start import known_candidates
from thresher.errors import PortalError, UsageError, command
from thresher.models import newest_model
from thresher.runs.asking import SEEDS, query_start_for
from thresher.runs.path_learning import with_paths
from thresher.runs.phases import predecessor_for
from thresher.runs.plans import Resume
from thresher.runs.preparation import Prepared, check, links_to, start_urls
from thresher.store.crawl_history import interrupted_crawl
from thresher.store.event_kinds import EventKind
from thresher.store.model_files import model_path
from thresher.store.protocol import Store
from thresher.store.records import PHASES, RETRAINED, Batch, CrawlKind, CrawlRow, CrawlState, EventRow
from thresher.work_faults import BudgetSpent, NothingToResume


def to_resume(store: Store, plan: Resume) -> CrawlRow | None:
    """Return the crawl to resume, or None if there is none."""
    return store.crawls.get(plan.crawl) if plan.crawl else interrupted_crawl(store)


def resume(store: Store, plan: Resume, at: float) -> Prepared:
    """Return the crawl, to continue at a wall time; raise UsageError if it cannot."""
    crawl = to_resume(store, plan)
    if crawl is None:
        raise PortalError(
            f"{plan.portal} has no crawl to resume.", f"Start one: {command('crawl', plan.portal)}", NothingToResume()
        )
    if crawl.progress.state is CrawlState.FINISHED:
        raise UsageError(
            f"The {crawl.kind} of {plan.portal} is finished: nothing is queued.",
            f"Start a new one: thresher {crawl.kind} {plan.portal}",
            NothingToResume(),
        )
    if plan.strategy:
        crawl = replace(crawl, strategy=plan.strategy)
    values = {RENAMED.get(key, key): value for key, value in flat(crawl.settings["values"]).items()}
    present = _present(plan.portal, crawl) if plan.adopt else values
    given = given_values(plan.overrides)
    settings = validated(nested({**flat(defaults()), **present, **given, **plan.limits}), {})
    if settings.crawl.pages and crawl.progress.pages >= settings.crawl.pages:
        raise UsageError(
            f"The {crawl.kind} of {plan.portal} has reached its budget of {settings.crawl.pages} pages.",
            f"Raise the budget: {command('resume', plan.portal, '--pages', 2 * settings.crawl.pages)}",
            BudgetSpent(pages=settings.crawl.pages),
        )
    urls = [*start_urls(store, plan.portal), *crawl.settings.get(SEEDS, [])]
    replay = crawl.settings["replay"]
    # A crawl killed before its first commit has no queue yet and starts again.
    events = [entry for entry in store.log.entries(0, crawl.id) if entry.url is None]
    asks = crawl.kind is CrawlKind.ASK
    begun = any(entry.kind == (INHERITED if crawl.predecessor or asks else EventKind.STARTED) for entry in events)
    chosen = crawl.settings.get("refresh")
    known = known_candidates(store, chosen["before"], chosen["limit"]) if chosen and not begun else []
    model = model_path(plan.portal, crawl.settings.get("model", ""))
    if crawl.kind in PHASES or asks:
        _, model = newest_model(plan.portal, store)
    settings = with_paths(plan.portal, crawl.strategy, settings)
    check(settings, crawl.strategy, urls, replay, model)
    if plan.adopt:
        changed = {key: {"from": values.get(key), "to": new} for key, new in present.items() if values.get(key) != new}
        event = EventRow(at=at, kind=EventKind.ADOPTED, detail={"changed": changed})
        store.commit(Batch(crawl=crawl.id, at=at, events=[event]))
    taught = [int(entry.detail.get("pages", 0)) for entry in events if entry.kind == RETRAINED]
    return Prepared(
        crawl,
        settings,
        urls,
        seeds=[] if begun or chosen else links_to(urls),
        known=known,
        before=_taken_over(store, plan.portal, crawl, settings, urls, at) if not begun else None,
        replay=replay,
        model=model,
        trained_at=max(taught, default=0) if crawl.kind is CrawlKind.HARVEST else None,
    )


def _taken_over(
    store: Store, portal: Path, crawl: CrawlRow, settings: Settings, starts: list[str], at: float
) -> TakenOver | None:
    """Return what a crawl that has not begun takes over from earlier crawls."""
    if crawl.kind is CrawlKind.ASK:
        return query_start_for(store, portal, crawl.query, starts)
    return predecessor_for(store, crawl.predecessor, crawl.strategy, settings, at)


def _present(portal: Path, crawl: CrawlRow) -> dict[str, Any]:
    """Return the portal's current settings with the crawl's own command-line overrides; its strategy stays."""
    values = flat(load(portal, crawl.settings["overrides"]).settings.model_dump(mode="json"))
    return {**values, "crawl.strategy": crawl.strategy}

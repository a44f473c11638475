"""One run of a crawl, from the lock on the portal to the last commit."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from thresher.analysers import trained
from thresher.build import make_analyser, make_engine, make_fetcher, make_guard, make_replay
from thresher.config.load import defaults, flat, load, nested, validated
from thresher.config.settings import Settings
from thresher.crawl.budget import Stop
from thresher.crawl.clock import RealClock
from thresher.crawl.engine import Engine
from thresher.crawl.neighbourhood import TRAIN
from thresher.crawl.recheck import REFRESH, known_candidates
from thresher.errors import InputError, PortalError, SettingsError, UsageError
from thresher.plugins import make_strategy
from thresher.portals import load_topics, model_path, start_pages
from thresher.protocols import Fetcher
from thresher.store.locks import CrawlLock
from thresher.store.protocol import Store
from thresher.store.records import Batch, CrawlRow, CrawlState, EventRow, Progress
from thresher.store.sqlite.store import open_store, require_portal
from thresher.types import Candidate, Link
from thresher.web.urls import host_of
from thresher.web.user_agent import user_agent

DAY = 24 * 3600.0

UNRANKED = "breadth-first"
"""The strategy of a refresh, which has no links to price: the one that costs nothing."""


class Start(Struct, frozen=True):
    """A new crawl of a portal; `overrides` are `key=value` settings.

    `replay` names WARC or ARC files, or folders of them, to crawl in place of the web.
    """

    portal: Path
    overrides: list[str] = []
    fresh: bool = False
    replay: list[str] = []


class Recheck(Struct, frozen=True):
    """A refresh of a portal: its pages are asked for again, at most `pages` of them, 0 for all.

    Only pages last visited at least `days` ago are checked; `hours` limits the run, 0 for no limit.
    """

    portal: Path
    pages: int = 0
    days: float = 0.0
    hours: float = 0.0
    overrides: list[str] = []


class Resumption(Struct, frozen=True):
    """The newest crawl goes on; `limits` are new budgets by setting, `adopt` takes the portal's present settings."""

    portal: Path
    limits: dict[str, float] = {}
    adopt: bool = False


class Gathering(Struct, frozen=True):
    """Pages fetched for training: candidates and what lies beyond them, down to `depth`; `pages` of them, 0 for all.

    Nothing is judged, and the crawl is not resumed: training again goes on with what is there.
    """

    portal: Path
    candidates: list[Candidate]
    depth: int = 0
    pages: int = 0
    overrides: list[str] = []


Plan: TypeAlias = Start | Recheck | Resumption | Gathering


class Outcome(Struct, frozen=True):
    """How a run ended."""

    crawl: CrawlRow
    progress: Progress


class _Prepared(Struct, frozen=True):
    crawl: CrawlRow
    settings: Settings
    homes: list[str]
    seeds: list[Link] = []
    known: list[Candidate] = []
    replay: list[str] = []
    model: str = ""


async def run(
    plan: Plan,
    on_progress: Callable[[Progress], None] | None = None,
    on_engine: Callable[[Engine], None] | None = None,
    *,
    held: bool = False,
) -> Outcome:
    """Run a crawl in real time; `on_engine` gets the engine before it starts, to stop it by.

    The portal's crawl lock is taken for the run, unless it is `held` by the caller already.
    """
    clock = RealClock()
    with ExitStack() as stack:
        require_portal(plan.portal)
        if not held:
            stack.enter_context(CrawlLock(plan.portal))
        store = open_store(plan.portal)
        stack.callback(store.close)
        prepared = _prepare(store, plan)
        settings = prepared.settings
        fetcher: Fetcher = make_fetcher(settings, clock)
        if prepared.replay:
            fetcher = make_replay(settings, clock, prepared.replay)
        spec = prepared.crawl.strategy
        strategy, _ = trained(make_strategy(spec, settings.strategy), spec, prepared.model)
        analyser = await make_analyser(settings, spec, clock, prepared.model)
        try:
            engine = make_engine(
                store=store,
                crawl=prepared.crawl,
                settings=settings,
                fetcher=fetcher,
                analyser=analyser,
                clock=clock,
                seeds=prepared.homes,
                directory=plan.portal,
                archived=settings.archive.enabled and not prepared.replay,
                strategy=strategy,
                on_progress=on_progress,
            )
            if on_engine is not None:
                on_engine(engine)
            progress = await engine.run(prepared.seeds, prepared.known)
        finally:
            await analyser.close()
            await fetcher.close()
        return Outcome(prepared.crawl, progress)


def _prepare(store: Store, plan: Plan) -> _Prepared:
    match plan:
        case Start():
            return _start(store, plan)
        case Recheck():
            return _recheck(store, plan)
        case Resumption():
            return _resume(store, plan)
        case Gathering():
            return _gather(store, plan)


def _start(store: Store, plan: Start) -> _Prepared:
    # A replay asks nobody: it needs no pauses.
    overrides = [*(["manners.delay=0", "manners.max_delay=0"] if plan.replay else []), *plan.overrides]
    settings = load(plan.portal, overrides).settings
    last = _last(store)
    if last is not None and not plan.fresh and last.progress.state is not CrawlState.FINISHED:
        done = last.progress
        more = f" --pages {2 * done.pages}" if done.stopped_because == Stop.PAGES else ""
        raise UsageError(
            f"The last {last.kind} of {plan.portal} can go on: it has {done.pages} pages, and {done.queued} URLs wait.",
            f"Go on: thresher resume {plan.portal}{more} - or give it up: thresher crawl {plan.portal} --fresh",
        )
    urls = _start_urls(store, plan.portal)
    if not urls:
        raise InputError(
            f"{plan.portal} has no start pages.",
            f"Add some: thresher topics {plan.portal} add TOPIC URL - or make a portal: thresher new DIR --seeds FILE",
        )
    replay = [str(Path(name).resolve()) for name in plan.replay]
    name, model = _newest_model(store, plan.portal)
    _check(settings, settings.crawl.strategy, urls, replay, model)
    snapshot = _snapshot(settings, overrides, replay, name)
    crawl = store.crawls.start("crawl", settings.crawl.strategy, snapshot, time.time())
    return _Prepared(crawl, settings, urls, seeds=_links(urls), replay=replay, model=model)


def _newest_model(store: Store, portal: Path) -> tuple[str, str]:
    """Return name and path of the newest model of a portal, both empty where it was never trained."""
    row = store.models.newest()
    return (row.file, model_path(portal, row.file)) if row else ("", "")


def _snapshot(settings: Settings, overrides: list[str], replay: list[str], model: str) -> dict[str, Any]:
    """Return what a crawl is resumed with."""
    values = settings.model_dump(mode="json")
    return {"values": values, "overrides": overrides, "replay": replay, "model": model}


def _gather(store: Store, plan: Gathering) -> _Prepared:
    overrides = [
        *plan.overrides,
        f"crawl.max_depth={plan.depth}",
        f"crawl.pages={plan.pages}",
        "crawl.scope=web",
        "crawl.sitemaps=0",
        "reading.text=true",
        # What a person names is wanted, whatever its address looks like.
        *([] if plan.depth else ["manners.traps=false"]),
    ]
    settings = load(plan.portal, overrides).settings
    _check(settings, UNRANKED, [candidate.url for candidate in plan.candidates], [])
    crawl = store.crawls.start(TRAIN, UNRANKED, _snapshot(settings, overrides, [], ""), time.time())
    return _Prepared(crawl, settings, [], known=plan.candidates)


def _recheck(store: Store, plan: Recheck) -> _Prepared:
    if next(iter(store.documents.urls()), None) is None:
        raise InputError(f"{plan.portal} has no pages to check.", f"Fetch some first: thresher crawl {plan.portal}")
    chosen = {"before": time.time() - plan.days * DAY, "limit": plan.pages}
    known = known_candidates(store, chosen["before"], plan.pages)
    overrides = [
        *plan.overrides,
        # All pages that were chosen wait, and nothing that is known already can lead into a trap.
        f"frontier.bound={max(1, len(known))}",
        "manners.traps=false",
        "crawl.sitemaps=0",
        "crawl.pages=0",
        f"crawl.hours={plan.hours!r}",
    ]
    settings = load(plan.portal, overrides).settings
    name, model = _newest_model(store, plan.portal)
    _check(settings, UNRANKED, [candidate.url for candidate in known], [], model)
    snapshot = {**_snapshot(settings, overrides, [], name), REFRESH: chosen}
    crawl = store.crawls.start(REFRESH, UNRANKED, snapshot, time.time())
    return _Prepared(crawl, settings, _start_urls(store, plan.portal), known=known, model=model)


def _last(store: Store) -> CrawlRow | None:
    """Return the crawl that may go on: the newest, or behind a finished refresh the newest that is no refresh.

    What was fetched for training never goes on.
    """
    crawl = _before(store, store.crawls.get(), TRAIN)
    if crawl is None or crawl.kind != REFRESH or crawl.progress.state is not CrawlState.FINISHED:
        return crawl
    return _before(store, crawl, TRAIN, REFRESH)


def _before(store: Store, crawl: CrawlRow | None, *kinds: str) -> CrawlRow | None:
    """Return a crawl, or the newest before it that is of none of the kinds."""
    while crawl is not None and crawl.kind in kinds:
        crawl = store.crawls.get(crawl.id - 1)
    return crawl


def _links(urls: list[str]) -> list[Link]:
    return [Link(url, "", 0, 0) for url in urls]


def _resume(store: Store, plan: Resumption) -> _Prepared:
    crawl = _last(store)
    if crawl is None:
        raise PortalError(f"{plan.portal} has no crawl to resume.", f"Start one: thresher crawl {plan.portal}")
    if crawl.progress.state is CrawlState.FINISHED:
        raise UsageError(
            f"The {crawl.kind} of {plan.portal} is finished: nothing waits.",
            f"Start a new one: thresher crawl {plan.portal}",
        )
    # A crawl killed before its first commit has not even its seeds waiting: it begins again.
    begun = any(entry.kind == "started" for entry in store.log.entries(0, crawl.id))
    values = flat(crawl.settings["values"])
    present = _present(plan.portal, crawl) if plan.adopt else values
    settings = validated(nested({**flat(defaults()), **present, **plan.limits}), {})
    if settings.crawl.pages and crawl.progress.pages >= settings.crawl.pages:
        raise UsageError(
            f"The {crawl.kind} of {plan.portal} has spent its budget of {settings.crawl.pages} pages.",
            f"Give it more: thresher resume {plan.portal} --pages {2 * settings.crawl.pages}",
        )
    urls, replay = _start_urls(store, plan.portal), crawl.settings["replay"]
    chosen = crawl.settings.get(REFRESH)
    known = known_candidates(store, chosen["before"], chosen["limit"]) if chosen and not begun else []
    model = model_path(plan.portal, crawl.settings.get("model", ""))
    _check(settings, crawl.strategy, urls, replay, model)
    if plan.adopt:
        changed = {key: {"from": values.get(key), "to": new} for key, new in present.items() if values.get(key) != new}
        event = EventRow(at=time.time(), kind="adopted", detail={"changed": changed})
        store.commit(Batch(crawl=crawl.id, at=time.time(), events=[event]))
    seeds = [] if begun or chosen else _links(urls)
    return _Prepared(crawl, settings, urls, seeds=seeds, known=known, replay=replay, model=model)


def _start_urls(store: Store, portal: Path) -> list[str]:
    """Return the start pages a person wrote down and those of the topics, each once."""
    return list(dict.fromkeys(store.start_urls.urls() + start_pages(load_topics(portal))))


def _present(portal: Path, crawl: CrawlRow) -> dict[str, Any]:
    """Return the portal's present settings under what the crawl's own command line said; its strategy stays."""
    values = flat(load(portal, crawl.settings["overrides"]).settings.model_dump(mode="json"))
    return {**values, "crawl.strategy": crawl.strategy}


def _check(settings: Settings, strategy: str, urls: list[str], replay: list[str], model: str = "") -> None:
    """Raise where a part could not be made from the settings, before anything is written."""
    trained(make_strategy(strategy, settings.strategy), strategy, model)
    make_guard(settings)
    user_agent(settings.network.contact)
    if replay:
        make_replay(settings, RealClock(), replay)
    else:
        _require_contact(settings, urls)


def _require_contact(settings: Settings, urls: list[str]) -> None:
    network = settings.network
    if network.contact:
        return
    guard = make_guard(settings)
    outside = next((url for url in urls if not guard.names(host_of(url))), None)
    if outside is not None:
        raise SettingsError(
            f"This crawl would leave your machine for {host_of(outside)}, but webmasters could not reach you.",
            'Set a contact in thresher.toml: [network] contact = "you@example.org"',
        )

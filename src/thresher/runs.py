"""One run of a crawl, from the lock on the portal to the last commit."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from msgspec import Struct

from thresher.build import make_analyser, make_engine, make_fetcher, make_guard, make_replay
from thresher.config.load import defaults, flat, load, nested, validated
from thresher.config.settings import Settings
from thresher.crawl.budget import Stop
from thresher.crawl.clock import RealClock
from thresher.crawl.engine import Engine
from thresher.errors import InputError, PortalError, SettingsError, UsageError
from thresher.plugins import make_strategy
from thresher.portals import load_topics, start_pages
from thresher.protocols import Fetcher
from thresher.store.locks import CrawlLock
from thresher.store.protocol import Store
from thresher.store.records import Batch, CrawlRow, CrawlState, EventRow, Progress
from thresher.store.sqlite.store import open_store, require_portal
from thresher.types import Link
from thresher.web.urls import host_of
from thresher.web.user_agent import user_agent


class Start(Struct, frozen=True):
    """A new crawl of a portal; `overrides` are `key=value` settings.

    `replay` names WARC or ARC files, or folders of them, to crawl in place of the web.
    """

    portal: Path
    overrides: list[str] = []
    fresh: bool = False
    replay: list[str] = []


class Resumption(Struct, frozen=True):
    """The newest crawl goes on; `limits` are new budgets by setting, `adopt` takes the portal's present settings."""

    portal: Path
    limits: dict[str, float] = {}
    adopt: bool = False


class Outcome(Struct, frozen=True):
    """How a run ended."""

    crawl: CrawlRow
    progress: Progress


class _Prepared(Struct, frozen=True):
    crawl: CrawlRow
    settings: Settings
    seeds: list[Link]
    homes: list[str]
    replay: list[str]


async def run(
    plan: Start | Resumption,
    on_progress: Callable[[Progress], None] | None = None,
    on_engine: Callable[[Engine], None] | None = None,
) -> Outcome:
    """Run a crawl in real time; `on_engine` gets the engine before it starts, to stop it by."""
    clock = RealClock()
    with ExitStack() as stack:
        require_portal(plan.portal)
        stack.enter_context(CrawlLock(plan.portal))
        store = open_store(plan.portal)
        stack.callback(store.close)
        prepared = _start(store, plan) if isinstance(plan, Start) else _resume(store, plan)
        settings = prepared.settings
        fetcher: Fetcher = make_fetcher(settings, clock)
        if prepared.replay:
            fetcher = make_replay(settings, clock, prepared.replay)
        analyser = await make_analyser(settings, prepared.crawl.strategy, clock)
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
                on_progress=on_progress,
            )
            if on_engine is not None:
                on_engine(engine)
            progress = await engine.run(prepared.seeds)
        finally:
            await analyser.close()
            await fetcher.close()
        return Outcome(prepared.crawl, progress)


def _start(store: Store, plan: Start) -> _Prepared:
    # A replay asks nobody: it needs no pauses.
    overrides = [*(["manners.delay=0", "manners.max_delay=0"] if plan.replay else []), *plan.overrides]
    settings = load(plan.portal, overrides).settings
    newest = store.crawls.get()
    if newest is not None and not plan.fresh and newest.progress.state is not CrawlState.FINISHED:
        done = newest.progress
        more = f" --pages {2 * done.pages}" if done.stopped_because == Stop.PAGES else ""
        raise UsageError(
            f"The last crawl of {plan.portal} can go on: it has {done.pages} pages, and {done.queued} URLs wait.",
            f"Go on: thresher resume {plan.portal}{more} - or give it up: thresher crawl {plan.portal} --fresh",
        )
    urls = _start_urls(store, plan.portal)
    if not urls:
        raise InputError(
            f"{plan.portal} has no start pages.",
            f"Add some: thresher topics {plan.portal} add TOPIC URL - or make a portal: thresher new DIR --seeds FILE",
        )
    replay = [str(Path(name).resolve()) for name in plan.replay]
    _check(settings, urls, replay)
    snapshot = {"values": settings.model_dump(mode="json"), "overrides": overrides, "replay": replay}
    crawl = store.crawls.start("crawl", settings.crawl.strategy, snapshot, time.time())
    return _Prepared(crawl, settings, [Link(url, "", 0, 0) for url in urls], urls, replay)


def _resume(store: Store, plan: Resumption) -> _Prepared:
    crawl = store.crawls.get()
    if crawl is None:
        raise PortalError(f"{plan.portal} has no crawl to resume.", f"Start one: thresher crawl {plan.portal}")
    if crawl.progress.state is CrawlState.FINISHED:
        raise UsageError(
            f"The crawl of {plan.portal} is finished: nothing waits.", f"Start a new one: thresher crawl {plan.portal}"
        )
    # A crawl killed before its first commit has not even its seeds waiting: it begins again.
    begun = any(entry.kind == "started" for entry in store.log.entries(0, crawl.id))
    values = flat(crawl.settings["values"])
    present = _present(plan.portal, crawl) if plan.adopt else values
    settings = validated(nested({**flat(defaults()), **present, **plan.limits}), {})
    if settings.crawl.pages and crawl.progress.pages >= settings.crawl.pages:
        raise UsageError(
            f"The crawl of {plan.portal} has spent its budget of {settings.crawl.pages} pages.",
            f"Give it more: thresher resume {plan.portal} --pages {2 * settings.crawl.pages}",
        )
    urls, replay = _start_urls(store, plan.portal), crawl.settings["replay"]
    _check(settings, urls, replay)
    if plan.adopt:
        changed = {key: {"from": values.get(key), "to": new} for key, new in present.items() if values.get(key) != new}
        event = EventRow(at=time.time(), kind="adopted", detail={"changed": changed})
        store.commit(Batch(crawl=crawl.id, at=time.time(), events=[event]))
    return _Prepared(crawl, settings, [] if begun else [Link(url, "", 0, 0) for url in urls], urls, replay)


def _start_urls(store: Store, portal: Path) -> list[str]:
    """Return the start pages a person wrote down and those of the topics, each once."""
    return list(dict.fromkeys(store.start_urls.urls() + start_pages(load_topics(portal))))


def _present(portal: Path, crawl: CrawlRow) -> dict[str, Any]:
    """Return the portal's present settings under what the crawl's own command line said; its strategy stays."""
    values = flat(load(portal, crawl.settings["overrides"]).settings.model_dump(mode="json"))
    return {**values, "crawl.strategy": crawl.strategy}


def _check(settings: Settings, urls: list[str], replay: list[str]) -> None:
    """Raise where a part could not be made from the settings, before anything is written."""
    make_strategy(settings.crawl.strategy, settings.strategy)
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

"""One run of a crawl, from the lock on the portal to the last commit."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from msgspec import Struct

from thresher.build import make_analyser, make_engine, make_fetcher
from thresher.config.load import flat, load, nested, validated
from thresher.config.settings import Settings
from thresher.crawl.clock import RealClock
from thresher.crawl.engine import Engine
from thresher.errors import InputError, PortalError, SettingsError, UsageError
from thresher.plugins import make_strategy
from thresher.store.locks import CrawlLock
from thresher.store.protocol import Store
from thresher.store.records import Batch, CrawlRow, CrawlState, EventRow, Progress
from thresher.store.sqlite.store import open_store, require_portal
from thresher.types import Link
from thresher.web.guard import AddressGuard
from thresher.web.urls import host_of


class Start(Struct, frozen=True):
    """A new crawl of a portal; `overrides` are `key=value` settings."""

    portal: Path
    overrides: list[str] = []
    fresh: bool = False


class Resumption(Struct, frozen=True):
    """The newest crawl goes on; `limits` are new budgets, `adopt` takes the portal's present settings."""

    portal: Path
    limits: list[str] = []
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
        fetcher = make_fetcher(settings, clock)
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
    loaded = load(plan.portal, plan.overrides)
    settings = loaded.settings
    newest = store.crawls.get()
    if newest is not None and not plan.fresh and _interrupted(newest.progress):
        raise UsageError(
            f"A crawl of {plan.portal} with {newest.progress.pages} pages was interrupted and can go on.",
            f"Go on: thresher resume {plan.portal} - or start anew: thresher crawl {plan.portal} --fresh",
        )
    urls = store.start_urls.urls()
    if not urls:
        raise InputError(f"{plan.portal} has no start pages.", f"Add some: thresher new {plan.portal} --seeds FILE")
    _require_contact(settings, urls)
    make_strategy(settings.crawl.strategy, settings.strategy)
    crawl = store.crawls.start("crawl", settings.crawl.strategy, settings.model_dump(mode="json"), time.time())
    return _Prepared(crawl, settings, [Link(url, "", 0, 0) for url in urls], urls)


def _resume(store: Store, plan: Resumption) -> _Prepared:
    crawl = store.crawls.get()
    if crawl is None:
        raise PortalError(f"{plan.portal} has no crawl to resume.", f"Start one: thresher crawl {plan.portal}")
    if crawl.progress.state is CrawlState.FINISHED:
        raise UsageError(
            f"The crawl of {plan.portal} is finished: nothing waits.", f"Start a new one: thresher crawl {plan.portal}"
        )
    values = flat(crawl.settings)
    if plan.adopt:
        values = _adopted(store, crawl, plan.portal)
    for limit in plan.limits:
        key, _, value = limit.partition("=")
        values[key] = float(value) if "." in value else int(value)
    settings = validated(nested(values), {})
    if settings.crawl.pages and crawl.progress.pages >= settings.crawl.pages:
        raise UsageError(
            f"The crawl of {plan.portal} has spent its budget of {settings.crawl.pages} pages.",
            f"Give it more: thresher resume {plan.portal} --pages {2 * settings.crawl.pages}",
        )
    urls = store.start_urls.urls()
    _require_contact(settings, urls)
    # A crawl killed before its first commit has not even its seeds waiting: it begins again.
    begun = next(store.log.entries(0, crawl.id), None) is not None
    seeds = [] if begun else [Link(url, "", 0, 0) for url in urls]
    return _Prepared(crawl, settings, seeds, urls)


def _adopted(store: Store, crawl: CrawlRow, portal: Path) -> dict[str, Any]:
    """Return the portal's present settings and log how they differ from those the crawl began with."""
    new = flat(load(portal).settings.model_dump(mode="json"))
    new["crawl.strategy"] = crawl.strategy
    old = flat(crawl.settings)
    changed = {key: {"from": old.get(key), "to": value} for key, value in new.items() if old.get(key) != value}
    event = EventRow(at=time.time(), kind="adopted", detail={"changed": changed})
    store.commit(Batch(crawl=crawl.id, at=time.time(), events=[event]))
    return new


def _interrupted(progress: Progress) -> bool:
    return progress.state is not CrawlState.FINISHED and progress.stopped_because not in ("pages", "time")


def _require_contact(settings: Settings, urls: list[str]) -> None:
    network = settings.network
    if network.contact:
        return
    guard = AddressGuard(allow=network.allow, mapped=network.map)
    outside = next((url for url in urls if not guard.names(host_of(url))), None)
    if outside is not None:
        raise SettingsError(
            f"This crawl would leave your machine for {host_of(outside)}, but webmasters could not reach you.",
            'Set a contact in thresher.toml: [network] contact = "you@example.org"',
        )

"""Prepares a run: valid settings, start pages and the model."""

from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from thresher.analysers import trained
from thresher.build import make_guard, make_replay
from thresher.config.settings import Settings
from thresher.crawl.clock import RealClock
from thresher.crawl.phases.query_start import TakenOver
from thresher.errors import SettingsError
from thresher.plugins import make_strategy
from thresher.portals import load_topics, start_pages
from thresher.store.protocol import Store
from thresher.store.records import RUN, CrawlRow, RunMark
from thresher.types import Candidate, Link
from thresher.web.guard import is_private
from thresher.web.urls import INSIDE, host_of, url_id
from thresher.web.user_agent import user_agent
from thresher.work_faults import NoContact, PrivateStart


class Prepared(Struct, frozen=True):
    """A crawl that is ready to start: its row, its settings, and what it starts from.

    `homes` are the pages the scope is measured from. `before` is what the crawl takes over from earlier ones. `model`
    is the path of the classifier's file, empty for none. `trained_at` is how many pages the crawl had when it was last
    retrained, or None if it never retrains.
    """

    crawl: CrawlRow
    settings: Settings
    homes: list[str]
    seeds: list[Link] = []
    known: list[Candidate] = []
    before: TakenOver | None = None
    replay: list[str] = []
    model: str = ""
    trained_at: int | None = None


def snapshot(
    settings: Settings, overrides: list[str], replay: list[str], model: str, run: RunMark | None = None
) -> dict[str, Any]:
    """Return the settings to resume a crawl with, and the whole run it is part of."""
    values = settings.model_dump(mode="json")
    mark = {RUN: structs.asdict(run)} if run is not None else {}
    return {"values": values, "overrides": overrides, "replay": replay, "model": model, **mark}


def links_to(urls: list[str]) -> list[Link]:
    """Return start pages as links of a virtual page."""
    return [Link(url, "", 0, 0) for url in urls]


def start_urls(store: Store, portal: Path) -> list[str]:
    """Return the user's start pages and those of the topics, each once.

    A document in an archive can be a training page, but its address cannot be fetched.
    """
    urls = dict.fromkeys(store.start_urls.urls() + start_pages(load_topics(portal)))
    return [url for url in urls if not (INSIDE in url and _is_stored_member(store, url))]


def _is_stored_member(store: Store, url: str) -> bool:
    document = store.documents.document(url_id(url))
    return document is not None and document.archive is not None


def check(settings: Settings, strategy: str, urls: list[str], replay: list[str], model: str = "") -> None:
    """Raise if a part cannot be created from the settings, before anything is written."""
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
    outside = next((host_of(url) for url in urls if not guard.names(host_of(url))), None)
    if outside is None:
        return
    allowed = f'allow it in thresher.toml: [network] allow = ["{outside.strip("[]")}"]'
    if is_private(outside):
        raise SettingsError(
            f"{outside} is a private address, which crawls must not access (address-forbidden).",
            f"If it is yours, {allowed}",
            PrivateStart(host=outside.strip("[]")),
        )
    raise SettingsError(
        f"Crawling {outside} requires a contact, so that webmasters can reach you.",
        f'Set a contact in thresher.toml: [network] contact = "you@example.org" - or, if {outside} is on your own '
        f"network, {allowed}",
        NoContact(host=outside),
    )

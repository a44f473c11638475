"""Webs whose sites have labels: the generated one, and the hosts of WebKB."""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random
from typing import Final, Protocol

from msgspec import Struct

from thresher.bench.page_building import build_pages
from thresher.bench.playback import PlaybackFetcher
from thresher.bench.webs.webkb import UNIVERSITIES, WebKb, webkb_hosts
from thresher.build import make_reader
from thresher.config.settings import Settings
from thresher.protocols import Clock, Fetcher
from thresher.reading.analysis import PageReader
from thresher.reasons import Reason
from thresher.simweb.fetcher import SimFetcher
from thresher.simweb.site_plan import SiteWebParameters
from thresher.simweb.site_web import SiteWeb
from thresher.types import Failed, Fetched, ParsedPage
from thresher.web.urls import host_of

REMEMBERED: Final = 8000
"""Parsed pages of the generated web kept for later runs; most runs of a seed set read the same ones."""

LEAST: Final = 5
"""Minimum number of pages of a WebKB host to count as a site."""


class SeedSites(Struct, frozen=True):
    """The input of a crawl for a topic: home pages of sites on the topic and of others.

    `listed` are further home pages that the crawl starts from, as if a directory had listed them.
    """

    relevant: list[str]
    others: list[str]
    listed: list[str] = []


class LabelledSites(Protocol):
    """A web whose sites are known."""

    name: str
    unit: str
    topics: list[str]
    note: str

    def site(self, url: str) -> str | None:
        """Return the true site of a URL, or None if it does not belong to a site that counts."""

    def relevant(self, topic: str) -> set[str]:
        """Return the sites of a topic."""

    def start(self, topic: str, seed: int) -> SeedSites:
        """Draw the input of a crawl."""

    def page(self, url: str) -> ParsedPage | None:
        """Return a page as a crawler reads it, or None."""

    def fetcher(self, clock: Clock) -> Fetcher:
        """Return the fetcher of the web."""

    def reader(self) -> PageReader:
        """Return the reader of its responses."""


class GeneratedSites:
    """The generated web of sites; its plan fixes the difficulty.

    With `remembers`, parsed pages are kept for later runs.
    """

    unit = "auto"
    note = "Synthetic structure flatters learners; no headline figure rests on this web."

    def __init__(
        self,
        settings: Settings,
        sites: int = 2400,
        seed: int = 0,
        examples: int = 10,
        others: int = 30,
        *,
        remembers: bool = True,
    ) -> None:
        self._remembers = remembers
        self.name = "generated-sites" if sites == 2400 else f"generated-sites({sites})"
        self._web = SiteWeb(SiteWebParameters(sites=sites, seed=seed))
        self._reader = make_reader(settings)
        self._examples = examples
        self._others = others
        self.topics = self._web.topics()

    def site(self, url: str) -> str | None:
        """Return the true site of a URL."""
        number = self._web.site_number(url)
        return None if number is None else self._web.plan.sites[number].brand

    def relevant(self, topic: str) -> set[str]:
        """Return the sites of a topic."""
        return {self._web.plan.sites[number].brand for number in self._web.relevant(topic)}

    def start(self, topic: str, seed: int) -> SeedSites:
        """Draw sites with a home page."""
        rng = Random(f"{topic} {seed}")
        sites = [site for site in self._web.plan.sites if not site.homeless]
        own = self._web.relevant(topic)
        return SeedSites(
            [site.home for site in rng.sample([site for site in sites if site.number in own], self._examples)],
            [site.home for site in rng.sample([site for site in sites if site.number not in own], self._others)],
        )

    @lru_cache(maxsize=REMEMBERED)  # noqa: B019
    def page(self, url: str) -> ParsedPage | None:
        """Return a page as a crawler reads it."""
        host = host_of(url)
        found = self._web.answer("GET", host, url.partition(host)[2] or "/")
        if found is None or found.status != 200:
            return None
        answer = Fetched(
            url=url, status=200, headers=found.headers, body=found.body, raw=found.body, mime="text/html", at=0.0
        )
        page = self._reader.read(answer)
        return page if isinstance(page, ParsedPage) else None

    def fetcher(self, clock: Clock) -> Fetcher:
        """Return the fetcher of the web."""
        return SimFetcher(self._web, clock)

    def reader(self) -> PageReader:
        """Return the reader of its responses."""
        return _HeldReader(self) if self._remembers else self._reader


class WebKbSites:
    """The WebKB hosts with at least five pages; those with a page labelled as that of a department are relevant.

    Hardly any host links to another in this collection, so the crawl starts from the home pages of all of them: what is
    compared is how well and at what cost sites are judged, not how they are found.
    """

    name = "webkb-sites"
    unit = "host"
    topics: list[str]
    note = "Many other hosts are those of departments too, without a page labelled so: precision has a ceiling."

    def __init__(self, data: Path, examples: int = 5, others: int = 15) -> None:
        self._examples = examples
        self._others = others
        self.topics = ["department"]
        web = webkb_hosts(data)
        assert isinstance(web.collection, WebKb)
        self._collection = web.collection
        self._pages = build_pages(web.collection)
        counted: dict[str, int] = {}
        for url in self._pages.urls:
            counted[host_of(url)] = counted.get(host_of(url), 0) + 1
        self._hosts = {host for host, number in counted.items() if number >= LEAST}
        kinds = web.collection.labels([*UNIVERSITIES, "misc"])
        self._departments = {host_of(url) for url, labels in kinds.items() if "department" in labels} & self._hosts

    @cached_property
    def _homes(self) -> Mapping[str, str]:
        """The entry page of each host: its root, an index page, or its shortest URL."""
        found: dict[str, str] = {}
        for url in self._pages.urls:
            host = host_of(url)
            best = found.get(host)
            if best is None or (len(url), url) < (len(best), best):
                found[host] = url
        return {host: self._collection.held(f"http://{host}/") or found[host] for host in self._hosts}

    def site(self, url: str) -> str | None:
        """Return the host of a URL if it counts as a site."""
        host = host_of(url)
        return host if host in self._hosts else None

    def relevant(self, topic: str) -> set[str]:
        """Return the hosts of departments."""
        return set(self._departments)

    def start(self, topic: str, seed: int) -> SeedSites:
        """Draw hosts, and list the rest of them in random order."""
        rng = Random(f"webkb {seed}")
        own = rng.sample(sorted(self._departments), self._examples)
        others = rng.sample(sorted(self._hosts - self._departments), self._others)
        listed = sorted(self._hosts - {*own, *others})
        rng.shuffle(listed)
        return SeedSites(
            [self._homes[host] for host in own],
            [self._homes[host] for host in others],
            [self._homes[host] for host in listed],
        )

    def page(self, url: str) -> ParsedPage | None:
        """Return a page as a crawler reads it."""
        held = self._collection.held(url)
        return self._pages.page(held) if held is not None else None

    def fetcher(self, clock: Clock) -> Fetcher:
        """Return the fetcher of the web: pages of counted hosts under any of their addresses, 404 for all else."""
        return PlaybackFetcher(_Held(self), clock)

    def reader(self) -> PageReader:
        """Return the reader of its responses."""
        return _HeldReader(self)


class _Held:
    """The addresses that WebKB answers."""

    def __init__(self, web: WebKbSites) -> None:
        self._web = web

    def __contains__(self, url: object) -> bool:
        return isinstance(url, str) and self._web.site(url) is not None and self._web.page(url) is not None


class _HeldReader:
    """Returns the parsed page for an address."""

    def __init__(self, web: LabelledSites) -> None:
        self._web = web

    def read(self, fetched: Fetched) -> ParsedPage | Failed:
        """Return the page, or a failure if there is none."""
        page = self._web.page(fetched.url)
        return page if page is not None else Failed(url=fetched.url, reason=Reason.UNREADABLE, at=fetched.at)

"""The websites of a portal: finding whole sites on a topic, listing, explaining and reviewing them."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from msgspec.structs import asdict

from thresher.api.crawl_summary import CrawlSummary
from thresher.api.overrides import Settings, overrides_of
from thresher.api.reports import Interrupted, Report, report_of_crawl
from thresher.api.waiting import ShowProgress, result_of
from thresher.counting import counted
from thresher.errors import InputError, UsageError, command
from thresher.exports.site_files import SiteData, ending_of, site_object, write_sites
from thresher.portals import load_topics
from thresher.site_types import SiteRow, SiteState, SiteVerdict
from thresher.store.crawl_history import newest_of
from thresher.store.locks import CrawlLock
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, CrawlRow
from thresher.store.repository import open_store
from thresher.web.site_names import site_of
from thresher.web.urls import canonical

if TYPE_CHECKING:
    import pandas

    from thresher.config.settings import Settings as PortalSettings
    from thresher.runs.plans import RunResult
    from thresher.runs.site_explanation import SiteExplanation
    from thresher.runs.training import Watch

STEPS = 20
"""Number of points on the curve of sites found."""


class SiteList(TypedDict):
    """Some of the sites, and how many there are in total; `topic` is null for all topics."""

    portal: str
    topic: str | None
    sites: list[SiteData]
    total: int


class SiteExport(TypedDict):
    """The file, and how many sites were written."""

    portal: str
    topic: str | None
    file: str
    total: int


class SiteTotals(TypedDict):
    """How many sites were decided, how many of them are relevant, and the pages per relevant site (null if none)."""

    examined: int
    relevant: int
    pages_per_relevant_site: float | None


class SiteRunSummary(CrawlSummary):
    """As for `crawl`, plus the sites; `curve` counts the relevant sites found in each twentieth of the pages."""

    sites: SiteTotals
    curve: list[int]


class SiteDecision(TypedDict):
    """The sites you accepted or rejected, and how many verdicts on other sites changed as a result."""

    portal: str
    sites: list[str]
    accepted: bool
    changed: int


class SiteLessons(TypedDict):
    """How many verdicts on sites changed after learning from your decisions."""

    portal: str
    changed: int


class SitesReport(Report, frozen=True, kw_only=True):
    """The result of a run for sites: how many were decided, how many of them are relevant, and when they were found.

    `curve` counts the relevant sites found in each twentieth of the pages.
    """

    examined: int = 0
    relevant: int = 0
    curve: tuple[int, ...] = ()

    def site_summary(self, portal: str) -> SiteRunSummary:
        """Return the object that `thresher sites run --json` prints."""
        each = round(self.pages / self.relevant, 2) if self.relevant else None
        counts: SiteTotals = {"examined": self.examined, "relevant": self.relevant, "pages_per_relevant_site": each}
        return {**self.summary(portal), "sites": counts, "curve": list(self.curve)}

    def __repr__(self) -> str:
        return f"SitesReport({self.relevant:,} relevant of {self.examined:,} sites, {self.pages:,} pages)"


class Sites:
    """The relevant websites that a portal has found, the most probable first; get it from `portal.sites`.

    Iterate over it, or take its length. All methods but `run` raise InputError if `run` was never called.
    """

    def __init__(self, path: Path, store: Callable[[], Store]) -> None:
        self._path = path
        self._store = store

    def run(
        self,
        *,
        want: int = 500,
        pages: int = 20_000,
        confidence: float = 0.9,
        fresh: bool = False,
        settings: Settings | None = None,
        progress: ShowProgress = None,
    ) -> SitesReport:
        """Sample the sites of your examples, learn the topics from them, and crawl for more such sites.

        It stops after `want` relevant sites or `pages` pages, 0 for no limit. A site is decided when its topic is at
        least as probable as `confidence`. Call it again after an interruption to continue; `fresh` starts over.
        """
        from thresher.runs.sites import SiteGoals, find_sites

        goals, overrides = SiteGoals(want, pages, confidence), overrides_of(settings)

        async def work(watch: "Watch") -> "RunResult | None":
            return await find_sites(self._path, goals, overrides, watch, fresh=fresh)

        result = result_of(work, progress)
        if result is None:
            raise Interrupted
        try:
            return self._report(result, report_of_crawl(result))
        except Interrupted as interrupted:
            report = interrupted.report
            raise Interrupted(self._report(result, report) if report is not None else None) from None

    def listed(self, topic: str | None = None, *, every: bool = False) -> list[SiteRow]:
        """Return the relevant sites, of one topic if given; `every` adds those that are not relevant."""
        from thresher.runs.site_verdicts import sites_of
        from thresher.runs.sites import bookmarked_sites

        store = self._store()
        states = list(SiteState) if every else [SiteState.RELEVANT]
        own = bookmarked_sites(load_topics(self._path), self._settings(None))
        return sites_of(store, self._run(store), states, topic, own)

    def explain(self, site: str) -> "SiteExplanation":
        """Return which pages of a site were read, how each was judged, and why the crawl left it; a URL works too."""
        from thresher.runs.site_explanation import explain_site

        store = self._store()
        crawl = self._run(store)
        address = canonical(site) if "://" in site else None
        for name in (site, site_of(address) if address else "", site_of(f"http://{site}/")):
            told = explain_site(store, crawl, name) if name else None
            if told is not None:
                return told
        raise InputError(
            f"The last run did not see the site {site[:200]}.",
            f"List all: {command('sites', self._path, 'list', '--all')}",
        )

    def export(
        self, file: str | Path, topic: str | None = None, *, every: bool = False, overwrite: bool = False
    ) -> int:
        """Write the sites to a .csv, .jsonl or .html (bookmarks) file, and return how many."""
        ending_of(Path(file))
        store = self._store()
        crawl = self._run(store)
        found = [(row, store.sites.pages(crawl.id, row.site)) for row in self.listed(topic, every=every)]
        write_sites(Path(file), found, force=overwrite)
        return len(found)

    def accept(self, *sites: str, settings: Settings | None = None) -> int:
        """Record that sites belong to their topic, learn from it, and return how many verdicts changed."""
        return self._decide(sites, True, settings)

    def reject(self, *sites: str, settings: Settings | None = None) -> int:
        """Record that sites do not belong to their topic, learn from it, and return how many verdicts changed."""
        return self._decide(sites, False, settings)

    def learn(self, *, settings: Settings | None = None) -> int:
        """Learn from all sites that users accepted or rejected, and return how many verdicts changed."""
        current = self._settings(settings)
        with CrawlLock(self._path):
            with closing(open_store(self._path)) as store:
                self._run(store)
            return _judge_again(self._path, current)

    def to_frame(self, topic: str | None = None, *, every: bool = False) -> "pandas.DataFrame":
        """Return the sites as a pandas data frame; raise ImportError if pandas is not installed."""
        import pandas

        rows: list[dict[str, Any]] = [dict(site_object(row)) for row in self.listed(topic, every=every)]
        return pandas.DataFrame(rows, columns=list(SiteData.__annotations__))

    def __iter__(self) -> Iterator[SiteRow]:
        return iter(self.listed())

    def __len__(self) -> int:
        return len(self.listed())

    def __repr__(self) -> str:
        store = self._store()
        found = newest_of(store, CrawlKind.SITES) is not None
        return f"<{counted(len(self), 'relevant site')}>" if found else "<no run for sites yet>"

    def _run(self, store: Store) -> CrawlRow:
        """Return the latest run for sites; raise InputError if there was none."""
        crawl = newest_of(store, CrawlKind.SITES)
        if crawl is None:
            look = command("sites", self._path, "run")
            raise InputError(f"{self._path} has not looked for sites yet.", f"Look for some: {look}")
        return crawl

    def _report(self, result: "RunResult", report: Report) -> SitesReport:
        from thresher.strategies.websites.ending import windows

        pages = result.progress.pages
        examined, relevant, _ = result.progress.sites or (0, 0, 0)
        with closing(open_store(self._path, read_only=True)) as store:
            found = [row.found for row in store.sites.listed(result.crawl.id, [SiteState.RELEVANT])]
        curve = windows(found, pages, max(1, pages // STEPS))[:STEPS]
        return SitesReport(**asdict(report), examined=examined, relevant=relevant, curve=tuple(curve))

    def _decide(self, sites: tuple[str, ...], accepted: bool, settings: Settings | None) -> int:
        if not sites:
            action = "accept" if accepted else "reject"
            example = command("sites", self._path, action, "example.org")
            raise UsageError("Give a site.", f"For example: {example}")
        current = self._settings(settings)
        with CrawlLock(self._path):
            with closing(open_store(self._path)) as store:
                self._record(store, sites, accepted)
            return _judge_again(self._path, current)

    def _record(self, store: Store, sites: tuple[str, ...], accepted: bool) -> None:
        """Store the user's verdicts on sites; nothing is stored if one of the sites was never read."""
        crawl = self._run(store)
        rows = []
        for site in sites:
            row = store.sites.get(crawl.id, site)
            if row is None or not row.topic:
                every = command("sites", self._path, "list", "--all")
                raise InputError(f"{site[:200]} is not a site that was read.", f"List them: {every}")
            rows.append(row)
        for row in rows:
            store.sites.say(
                SiteVerdict(site=row.site, topic=row.topic, accepted=accepted, home=row.home, at=time.time())
            )

    def _settings(self, settings: Settings | None) -> "PortalSettings":
        from thresher.config.load import load

        return load(self._path, overrides_of(settings)).settings


def _judge_again(path: Path, settings: "PortalSettings") -> int:
    from thresher.runs.site_verdicts import judge_again

    return judge_again(path, settings, time.time())

"""A portal, as Python sees it."""

import difflib
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from html import escape
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from thresher.api.overrides import overrides_of
from thresher.api.own_strategies import strategy_name
from thresher.api.pages import Pages
from thresher.api.progress_line import ProgressLine, ShowProgress
from thresher.api.reports import Report, report_of_crawl, report_of_run
from thresher.api.sources import imported_topics
from thresher.api.waiting import Work
from thresher.errors import InputError
from thresher.plugins import make_strategy
from thresher.portals import create_portal, load_topics
from thresher.store.explain import Explanation
from thresher.store.explain import explain as explain_url
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, CrawlState, Progress
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import parsed, written

if TYPE_CHECKING:
    from thresher.protocols import PageClassifier, Strategy
    from thresher.runs.plans import Plan
    from thresher.search.results import SearchResults
    from thresher.search.searcher import Ranking, Searcher
    from thresher.train.report import Trained

Made = TypeVar("Made")
Settings = Mapping[str, Any]
"""Settings by their dotted keys, as in `{"manners.delay": 2}`."""


class Portal:
    """A portal: a directory with topics, a repository of pages, trained models and an archive.

    Make one with `Portal.create`, or open one with `Portal.open`; a portal that was made on the command line is the
    same. It can be used in a `with` block, and is closed at its end.

    Long calls (`train`, `run`, `crawl`) take `progress`: True writes one line that changes, a function is called with a
    `Progress` now and then, from another thread. Ctrl-C, or the stop button of a notebook, stops them cleanly and
    raises KeyboardInterrupt; the same call goes on later. They take `settings` for this call by their dotted keys.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._store: Store = open_store(self._path, read_only=True)
        self._searcher: Searcher | None = None

    @classmethod
    def create(
        cls,
        path: str | Path,
        *,
        bookmarks: str | Path | None = None,
        topics: str | Path | None = None,
        folder: str | Path | None = None,
        query: str | None = None,
        seeds: Sequence[str] = (),
        contact: str = "",
    ) -> Self:
        """Make a portal and return it; nothing is fetched.

        Topics come from one of `bookmarks` (a file of a browser), `topics` (a `topics.toml`), `folder` (local
        documents) and `query` (words). `seeds` are further pages to start from. `contact` is what webmasters see; the
        public web cannot be crawled without one.
        """
        gathered = imported_topics(_path(bookmarks), _path(topics), _path(folder), query)
        lines = "\n".join(seeds) if seeds else None
        create_portal(Path(path), lines, gathered.taxonomy if gathered else None, contact=contact)
        return cls(path)

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Return the portal in a directory; raises PortalError where there is none."""
        return cls(path)

    @property
    def path(self) -> Path:
        """The directory."""
        return self._path

    @property
    def topics(self) -> list[str]:
        """The topics as paths, parents before children: `Science`, `Science/Physics`."""
        return [written(path) for path, _ in load_topics(self._path).walk()]

    def train(
        self, *, fresh: bool = False, settings: Settings | None = None, progress: ShowProgress = None
    ) -> "Trained":
        """Fetch the example pages of all topics and learn to tell the topics apart.

        With `fresh` it forgets what crawls have found, and learns from your examples alone.
        """
        from thresher.runs.training import Watch, train

        async def start(work: Work["Trained | None"], told: Callable[[Progress], None] | None) -> "Trained | None":
            watch = Watch(progress=told, crawling=work.crawling)
            return await train(self._path, overrides_of(settings or {}), watch, fresh=fresh)

        trained = _waited(start, progress)
        if trained is None:
            raise KeyboardInterrupt
        return trained

    def run(
        self,
        *,
        pages: int | None = None,
        hours: float | None = None,
        fresh: bool = False,
        settings: Settings | None = None,
        progress: ShowProgress = None,
    ) -> Report:
        """Bring the portal all the way: train, crawl near the examples, retrain, harvest.

        `pages` bounds the whole run, `hours` this call. Called again after an interruption, it goes on where it was;
        with `fresh` it learns and harvests again.
        """
        from thresher.runs.run_budget import RunBudget, account_of
        from thresher.runs.training import Watch
        from thresher.runs.whole import Stage, Step, run_whole

        steps: list[Step] = []

        async def start(work: Work[Stage], told: Callable[[Progress], None] | None) -> Stage:
            watch = Watch(progress=told, crawling=work.crawling)
            budget = RunBudget(pages, hours)
            return await run_whole(
                self._path, overrides_of(settings or {}), watch, steps.append, budget=budget, fresh=fresh
            )

        stage = _waited(start, progress)
        return report_of_run(account_of(self._store), steps, len(self.pages()), stage is Stage.DONE)

    def crawl(
        self,
        *,
        pages: int | None = None,
        hours: float | None = None,
        strategy: "str | type[Strategy] | None" = None,
        fresh: bool = False,
        settings: Settings | None = None,
        progress: ShowProgress = None,
    ) -> Report:
        """Crawl from the start pages by a strategy, without learning.

        `strategy` is a name with its parameters, `"random(seed=7)"`, or a class of your own (see `Strategy`). `pages`
        counts all pages of the crawl: called again with the same strategy and a larger number, it goes on where it
        stopped; `fresh` starts a new one.
        """
        name, importable = strategy_name(strategy) if strategy is not None else (None, True)
        given = dict(settings or {}) | ({"crawl.strategy": name} if name is not None else {})
        if not importable:
            # No other process has this class, so pages are read in this one.
            given["engine.workers"] = 0
        limits = {key: value for key, value in (("crawl.pages", pages), ("crawl.hours", hours)) if value is not None}
        plan = self._plan(name, given, limits, fresh)

        from thresher.runs.plans import RunResult
        from thresher.runs.run import run

        async def start(work: Work[RunResult], told: Callable[[Progress], None] | None) -> RunResult:
            with work.crawling() as on_engine:
                return await run(plan, told, on_engine)

        return report_of_crawl(_waited(start, progress).progress)

    def _plan(self, name: str | None, given: dict[str, Any], limits: dict[str, float], fresh: bool) -> "Plan":
        """Return a crawl that goes on, where there is one by the same strategy, else a new one."""
        from thresher.config.load import load
        from thresher.runs.plans import Resume, Start
        from thresher.store.crawl_history import resumable_crawl

        overrides = overrides_of({**given, **limits})
        wanted = name or load(self._path, overrides).settings.crawl.strategy
        last = resumable_crawl(self._store)
        goes_on = last is not None and last.kind is CrawlKind.CRAWL and last.strategy == wanted
        if last is not None and goes_on and not fresh and last.progress.state is not CrawlState.FINISHED:
            return Resume(self._path, limits, crawl=last.id)
        return Start(self._path, overrides, fresh=True)

    def pages(self, topic: str | None = None) -> Pages:
        """Return the accepted pages, best first: of all topics, or of one and everything below it.

        Raises InputError where there is no such topic.
        """
        path = self._topic(topic) if topic is not None else None
        title = " / ".join((self._path.resolve().name, *parsed(path or "")))
        return Pages(self._store, path, title)

    def _topic(self, topic: str) -> str | None:
        """Return the path of a topic as it is stored, None for the top; raises InputError where there is none."""
        path, known = written(parsed(topic)), self.topics
        # Pages keep a topic that was renamed or deleted until they are judged again.
        if not path or path in known or self._store.documents.count_accepted(path):
            return path or None
        close = difflib.get_close_matches(path, known, 1, 0.4)
        there = f"There are: {', '.join(known[:20])}." if known else "This portal has no topics."
        raise InputError(f"There is no topic '{topic}'.", f"Did you mean '{close[0]}'?" if close else there)

    def explain(self, url: str) -> Explanation:
        """Return what the portal knows about a URL: how it was found, scored, fetched and classified, or why not."""
        found = explain_url(self._store, url, make=make_strategy)
        if found is None:
            raise InputError(
                f"'{url[:200]}' is not an http or https URL.", "Write it in full, as in https://example.org/"
            )
        return found

    def search(
        self,
        query: str = "",
        *,
        number: int = 10,
        page: int = 1,
        rank: "Ranking | None" = None,
        facets: bool = False,
        within: str | Sequence[str] = (),
    ) -> "SearchResults":
        """Search the portal and return the best pages; the empty query lists all of them.

        The query language is that of `thresher search`. `number` results make a `page`, which counts from 1. `rank`
        weighs the parts of the ranking, as in `{"text": 1, "authority": 0.5}`; with `facets` the results are also
        counted by topic, site, type and so on. `within` are earlier queries whose results this one searches.
        """
        if self._searcher is None:
            from thresher.search.searcher import Searcher

            self._searcher = Searcher(self._path)
        return self._searcher.search(query, rank=rank, number=number, page=page, facets=facets, within=within)

    def classifier(self) -> "PageClassifier":
        """Return the trained classifier that is in use; raises InputError where the portal was never trained."""
        from thresher.models import load_classifier

        return load_classifier(self._path, self._store)

    def close(self) -> None:
        """Give back what is open; safe to call twice."""
        if self._searcher is not None:
            self._searcher.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Portal({str(self._path)!r}, {len(self.topics):,} topics, {len(self.pages()):,} accepted pages)"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(topic)}</td><td>{self._store.documents.count_accepted(topic):,}</td></tr>"
            for topic in self.topics
        )
        head = "<tr><th>topic</th><th>accepted pages</th></tr>"
        return f"<p><b>{escape(str(self._path))}</b></p><table>{head}{rows}</table>"


def _path(given: str | Path | None) -> Path | None:
    return Path(given) if given is not None else None


def _waited(
    start: Callable[[Work[Made], Callable[[Progress], None] | None], Coroutine[Any, Any, Made]], progress: ShowProgress
) -> Made:
    """Do long work and return what it made, telling how far it is as a person wants it."""
    with _shown(progress) as told:
        return Work[Made](lambda work: start(work, told)).result()


@contextmanager
def _shown(progress: ShowProgress) -> Iterator[Callable[[Progress], None] | None]:
    if progress is True:
        with closing(ProgressLine()) as line:
            yield line
    else:
        yield progress or None

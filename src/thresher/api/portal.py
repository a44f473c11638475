"""The `Portal` class: a portal for Python."""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from thresher.api.answers import Answers
from thresher.api.archetypes import Archetypes
from thresher.api.browsing import Browsing
from thresher.api.crawls import Crawls
from thresher.api.organising import Organising
from thresher.api.overrides import Settings
from thresher.api.pages import Pages, known_topic
from thresher.api.peers import Peers
from thresher.api.portal_views import as_table, in_a_line
from thresher.api.reports import Report, RunReport
from thresher.api.saved_searches import SavedSearches
from thresher.api.sites import Sites
from thresher.api.sources import NewPortal, new_portal
from thresher.api.status import Status, status_of
from thresher.api.topics import Topics
from thresher.api.waiting import ShowProgress
from thresher.api.whole_runs import run_portal, train_portal
from thresher.errors import InputError, PortalError
from thresher.plugins import make_strategy
from thresher.store.explain import Explanation
from thresher.store.explain import explain as explain_url
from thresher.store.protocol import Store
from thresher.store.repository import is_portal, open_store, require_name, require_portal
from thresher.taxonomy.topic_tree import parsed

if TYPE_CHECKING:
    from thresher.api.checking import Check
    from thresher.api.morning_report import MorningReport
    from thresher.api.paths import PathsData, PathSource
    from thresher.api.setting_list import Setting
    from thresher.api.users import Users
    from thresher.config.settings import Settings as PortalSettings
    from thresher.protocols import PageClassifier, Strategy
    from thresher.runs.whole import FinishedStage
    from thresher.search.results import SearchResults
    from thresher.search.searcher import Ranking, Searcher
    from thresher.train.report import Trained


class Portal(Organising):
    """A portal: a directory with topics, a repository of pages, trained models and an archive.

    Create one with `Portal.create` or open one with `Portal.open`, whether it was created in Python or on the command
    line. Use it in a `with` block, or call `close`.

    Long calls (`train`, `run`, `crawl`) take `progress`: True shows the stages and a line of counters that updates in
    place; a function is called with a `Progress` a few times a second. Ctrl-C, or a notebook's stop button, stops them
    cleanly and raises KeyboardInterrupt, whose `report` says what was done; repeat the call to continue. `settings`
    apply to one call, by dotted key, as in `{"manners.delay": 2}`.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        require_name(self._path)
        require_portal(self._path)
        self._created: NewPortal | None = None
        self._closed = False

    @classmethod
    def create(
        cls,
        path: str | Path,
        *,
        bookmarks: str | Path | None = None,
        topics: str | Path | None = None,
        folder: str | Path | None = None,
        query: str | None = None,
        seeds: Sequence[str] | str = (),
        contact: str = "",
    ) -> Self:
        """Create a portal and return it; nothing is fetched.

        Topics come from one of `bookmarks` (a browser's file), `topics` (a `topics.toml`), `folder` (local documents)
        and `query` (words). `seeds` are more start pages: URLs, or the text of a file with one per line. `contact` is
        shown to webmasters and required for crawling the public web. `created` lists what was skipped.
        """
        created = new_portal(Path(path), bookmarks, topics, folder, query, seeds, contact)
        portal = cls(path)
        portal._created = created
        return portal

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Return the portal in a directory; raise PortalError if there is none."""
        return cls(path)

    @staticmethod
    def exists(path: str | Path) -> bool:
        """Return whether there is a portal in a directory."""
        return is_portal(Path(path))

    @property
    def path(self) -> Path:
        """The directory."""
        return self._path

    @property
    def created(self) -> NewPortal | None:
        """What `create` read and skipped; None if the portal was opened."""
        return self._created

    @property
    def settings(self) -> "PortalSettings":
        """The portal's current settings, as in `portal.settings.manners.delay`."""
        from thresher.config.load import load

        return load(self._path).settings

    def list_settings(self, key: str | None = None) -> "list[Setting]":
        """Return every setting with its value, source and meaning, or those of one `key` or section."""
        from thresher.api.setting_list import list_settings

        return list_settings(self._path, key)

    @property
    def topics(self) -> Topics:
        """The topics, as a list of paths that can be edited: `portal.topics.add("Science/Physics", "https://…")`."""
        return Topics(self._path)

    @property
    def crawls(self) -> Crawls:
        """The crawls: `learn`, `harvest`, `resume`, `refresh`, and the `log` of what they did."""
        return Crawls(self._path, lambda: self._store)

    @property
    def archetypes(self) -> Archetypes:
        """Crawled pages that the topics are trained on: `propose`, `accept`, `reject`, `retrain`, `roll_back`."""
        return Archetypes(self._path)

    @property
    def sites(self) -> Sites:
        """Websites on your topics: `run` searches for them; iterate over them, `explain`, `accept` or `reject` them."""
        return Sites(self._path, lambda: self._store)

    @property
    def answers(self) -> Answers:
        """What your review decisions teach about other pages: `estimate` it, `apply` it, `undo` it."""
        return Answers(self._path)

    @property
    def browsing(self) -> Browsing:
        """Browsing sessions, which `learn_paths` learns from: `find`, `keep`, `sessions`, `forget`, `fetch`."""
        return Browsing(self._path)

    @property
    def peers(self) -> Peers:
        """Other portals to exchange models with: `ask`, `allow`, `use`, `forget`; iterate over them."""
        return Peers(self._path)

    @property
    def users(self) -> "Users":
        """The accounts of the web portal: `add`, `set_role`, `set_password`, `sign_out`, `remove`; iterate over it."""
        from thresher.api.users import Users

        return Users(self._path)

    @property
    def saved_searches(self) -> SavedSearches:
        """Searches saved under a name, and the feedback on results."""
        return SavedSearches(self._path)

    def train(
        self, *, fresh: bool = False, settings: Settings | None = None, progress: ShowProgress = None
    ) -> "Trained":
        """Fetch the example pages of all topics and train the classifier on them.

        `fresh` ignores pages found by crawls and trains on your examples alone.
        """
        return train_portal(self._path, fresh, settings, progress)

    def run(
        self,
        *,
        pages: int | None = None,
        hours: float | None = None,
        fresh: bool = False,
        settings: Settings | None = None,
        progress: ShowProgress = None,
        on_step: "Callable[[FinishedStage], None] | None" = None,
    ) -> RunReport:
        """Run all stages: train, crawl near the examples, retrain, harvest.

        `pages` limits the whole run, `hours` this call. Call it again after an interruption to continue; `fresh` learns
        and harvests again. `on_step` is called with the result of each step.
        """
        return run_portal(
            self._path,
            pages=pages,
            hours=hours,
            fresh=fresh,
            settings=settings,
            progress=progress,
            on_step=on_step,
        )

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
        """Crawl from the start pages with a strategy, without learning.

        `strategy` is a name with its parameters, `"random(seed=7)"`, or a class of your own (see `Strategy`). `pages`
        counts all pages of the crawl: called again with the same strategy and a larger number, it continues; `fresh`
        starts a new crawl.
        """
        return self.crawls.start_or_resume(
            pages=pages, hours=hours, strategy=strategy, fresh=fresh, settings=settings, progress=progress
        )

    def pages(self, topic: str | None = None) -> Pages:
        """Return the accepted pages, best first: of all topics, or of one and everything below it.

        Raises InputError if there is no such topic.
        """
        path = known_topic(topic, list(self.topics), self._store) if topic is not None else None
        title = " / ".join((self._path.resolve().name, *parsed(path or "")))
        return Pages(self._store, path, title)

    def report(self, *, days: float = 1.0, date: str | None = None) -> "MorningReport":
        """Return what is new: best finds, doubtful pages, new sites, failures, and what comes next.

        It covers the last `days`, or one `date`, as in `"2026-11-16"`.
        """
        from thresher.api.morning_report import report_since

        return report_since(self._path, self._store, days, date)

    def learn_paths(
        self,
        sessions: str | Path | None = None,
        *,
        topic: str | None = None,
        source: "PathSource | None" = None,
    ) -> "PathsData":
        """Learn which paths lead to the topics, from browsing sessions or, if there are none, from stored links.

        Sessions come from a file or from the portal; `source` chooses between sessions and links. The strategies `hmm`
        and `context-graph` use the result. `topic` learns paths to one topic only.
        """
        from thresher.api.paths import learn_paths

        return learn_paths(self._path, Path(sessions) if sessions is not None else None, topic, source)

    def status(self) -> Status:
        """Return the status of the latest crawl, the topics and the model: the object of `thresher status --json`."""
        return status_of(self._path, self._store)

    def check(self, *, deep: bool = False) -> "list[Check]":
        """Check the installation and the portal, as `thresher doctor` does; `deep` reads the whole archive."""
        from thresher.api.checking import check

        return check(self._path, deep=deep)

    def explain(self, url: str, *, crawl: int | None = None) -> Explanation:
        """Return what the portal knows about a URL: how it was found, scored, fetched and classified, or why not.

        By default this is what the latest crawl that saw the URL recorded.
        """
        found = explain_url(self._store, url, crawl, make_strategy)
        if found is None:
            raise InputError(
                f"'{url[:200]}' is not an http or https URL.", "Write it in full, as in http://www.example.org/page"
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

        The query language is that of `thresher search`. There are `number` results on a `page`, from 1. `rank` sets the
        weights of the ranking, as in `{"text": 1, "authority": 0.5}`. `facets` also counts the results by topic, site,
        type and so on. `within` restricts the search to the results of other queries.
        """
        return self.searcher.search(query, number=number, page=page, rank=rank, facets=facets, within=within)

    @cached_property
    def searcher(self) -> "Searcher":
        """The portal's searcher, which also finds pages `similar` to one and its link `neighbours`."""
        from thresher.api.searching import open_searcher

        return open_searcher(self._path)

    def classifier(self) -> "PageClassifier":
        """Return the trained classifier in use; raise InputError if the portal was never trained."""
        from thresher.models import load_classifier

        return load_classifier(self._path, self._store)

    def close(self) -> None:
        """Release the database and the index; safe to call twice."""
        self._closed = True
        for name in ("searcher", "_store"):
            if name in vars(self):
                vars(self)[name].close()

    @cached_property
    def _store(self) -> Store:
        # Opened lazily: a portal in an older format cannot be read, but it can be crawled, which upgrades it.
        if self._closed:
            raise PortalError("This portal is closed.", "Open it again.")
        return open_store(self._path, read_only=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return in_a_line(self._path, None if self._closed else self._store)

    def _repr_html_(self) -> str:
        return as_table(self._path, None if self._closed else self._store)

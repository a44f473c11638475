"""Everything that the portal's pages read: the repository, the topics and the model."""

import gc
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.config.load import FILE as SETTINGS
from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.errors import PortalError, ThresherError
from thresher.models import load_classifier, newest_model
from thresher.portal.fresh import Fresh
from thresher.portal.overview import Overview, TopicNode, new_colours, overview
from thresher.portal.sample_queries import first_plain, sample_queries
from thresher.portal.site_counts import SiteCounts, follow
from thresher.portal.wording import DAY
from thresher.portals import load_topics
from thresher.search import Searcher
from thresher.search.results import Result
from thresher.store.portal_records import LinkNumbers, ListedPage, ListOrder, PageSelection
from thresher.store.protocol import Store
from thresher.store.records import CrawlRow
from thresher.taxonomy.topic_tree import Taxonomy
from thresher.taxonomy.topics_file import FILE as TOPICS

PAGE_SIZE: Final = 20
"""List entries per page."""

WEEK: Final = 7 * DAY

_OLD: Final = 3.0
"""Seconds that counts may lag behind a running crawl."""

_HUBS_OLD: Final = 30.0
_SAMPLES_OLD: Final = 300.0
_SAMPLES: Final = 3
# Topics looked at for sample queries, pages of each whose titles are looked at, and words of it that a query may have.
_MOST_TOPICS: Final = 12
_SAMPLED: Final = 200
_TELLING: Final = 20
_LAST_PAGE: Final = 500
_CLOSE: Final = 5
_SHARED: Final = 2
_MOST_MOVES: Final = 20


class ListPart(Struct, frozen=True):
    """One page of a list of accepted pages; `number` counts from 1 to `last`."""

    pages: list[ListedPage]
    links: dict[int, LinkNumbers]
    total: int
    number: int
    last: int


class TellingWord(Struct, frozen=True):
    """A characteristic word of a topic, its score, and the score relative to that of the best word."""

    word: str
    score: float
    share: float
    pages: int


class StartingPoint(Struct, frozen=True):
    """A page that leads to many others, with the number of accepted pages it links to."""

    page: ListedPage
    leads: int


class Library:
    """A portal as seen by its web pages; safe to use from any thread. `clock` returns wall time."""

    def __init__(self, portal: Path, store: Store, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        self.portal = portal
        self.store = store
        self.clock = clock
        self._settings = settings
        self._settings_version = self._file_version(SETTINGS)
        self._counts = SiteCounts()
        self._overview = Fresh(self._count, self._version, _OLD, clock)
        self._topics = Fresh(lambda: load_topics(portal), lambda: self._file_version(TOPICS), 1.0, clock)
        self._classifier = Fresh(self._load_classifier, lambda: newest_model(portal, store), _OLD, clock)
        self._words: Fresh[dict[str, list[TellingWord]]] = Fresh(dict, self._classifier.get, _OLD, clock)
        self._samples = Fresh(self._find_samples, store.log.last, _SAMPLES_OLD, clock)
        self._searcher: Searcher | None = None
        self._warm = threading.Event()
        self._opening = threading.Lock()
        self._hubs = Fresh(self._find_hubs, store.log.last, _HUBS_OLD, clock)

    @property
    def settings(self) -> Settings:
        """The settings, reloaded if their file has changed; an unreadable file is ignored."""
        version = self._file_version(SETTINGS)
        if version != self._settings_version:
            with suppress(ThresherError, OSError):
                self._settings = load(self.portal).settings
            self._settings_version = version
        return self._settings

    @property
    def title(self) -> str:
        """The name of the portal."""
        return self.settings.portal.title or self.portal.resolve().name

    def topics(self) -> Taxonomy:
        """Return the topic tree."""
        return self._topics.get()

    def fresh_topics(self) -> Taxonomy:
        """Return the topic tree, read from its file."""
        return load_topics(self.portal)

    def overview(self) -> Overview:
        """Return the topics with their figures, at most a few seconds old."""
        return self._overview.get()

    def crawl(self) -> CrawlRow | None:
        """Return the newest crawl, or None if there was none."""
        return self.store.crawls.get()

    def part(self, shelf: PageSelection, order: ListOrder, total: int, number: int) -> ListPart:
        """Return one page of a list that has `total` entries."""
        last = min(max(1, -(-total // PAGE_SIZE)), _LAST_PAGE)
        number = min(max(1, number), last)
        ids = self.store.catalogue.ids(shelf, order, PAGE_SIZE, (number - 1) * PAGE_SIZE)
        pages = self.pages(ids)
        links = self.store.catalogue.links([page.id for page in pages])
        return ListPart(pages, links, total, number, last)

    def pages(self, ids: Sequence[int]) -> list[ListedPage]:
        """Return the accepted pages among some ids, in the order of the ids."""
        found = self.store.catalogue.pages(ids)
        return [found[id_] for id_ in ids if id_ in found]

    def newest(self, number: int) -> list[ListedPage]:
        """Return the pages found last."""
        return self.pages(self.store.catalogue.ids(PageSelection(), ListOrder.NEWEST, number))

    def starting_points(self) -> list[StartingPoint]:
        """Return the best link lists of each branch, those that lead to most pages first."""
        return self._hubs.get()

    def searcher(self) -> Searcher:
        """Return the searcher of the portal; the first call opens it."""
        with self._opening:
            if self._searcher is None:
                self._searcher = Searcher(self.portal, wait=False)
            return self._searcher

    def similar(self, url: str, number: int) -> list[Result]:
        """Return the pages most similar to a stored one; none if it is not in the index."""
        try:
            return self.searcher().similar(url, number=number).results
        except ThresherError:
            return []

    @property
    def is_warm(self) -> bool:
        """Whether the index has been searched, so that the next search will hardly fail."""
        return self._warm.is_set()

    def samples(self) -> list[str]:
        """Return a few queries that find something; none while the index is still being built."""
        return self._samples.get() if self.is_warm else []

    def prepare(self) -> None:
        """Count the pages, so the first readers need not wait for it."""
        # A damaged portal is reported by its pages.
        with suppress(ThresherError, OSError):
            self.starting_points()

    def warm_up(self) -> None:
        """Update the index so the first search need not wait for it; meant to run in its own thread.

        Everything in memory at that point stays there. It is frozen for the garbage collector, which would otherwise
        scan it whenever a search has read many matches. Matches of frequent words are read last.
        """
        if self._finds(""):
            self._samples.get()
            self._warm.set()
        gc.collect()
        gc.freeze()
        if self.is_warm:
            self.searcher().prepare()

    def close(self) -> None:
        """Close the index; the store belongs to whoever opened it."""
        with self._opening:
            if self._searcher is not None:
                self._searcher.close()
                self._searcher = None

    def classifier(self) -> HierarchicalClassifier | None:
        """Return the classifier in use, or None if there is none or it cannot be read."""
        return self._classifier.get()

    def forget(self) -> None:
        """Read and count the topics again after a person has changed them."""
        self._topics.forget()
        self._overview.forget()

    def telling(self, topic: str) -> list[TellingWord]:
        """Return the characteristic words of a topic, best first; none if it is not in the model."""
        known = self._words.get()
        if topic not in known:
            known[topic] = self._find_telling(topic)
        return known[topic]

    def _find_telling(self, topic: str) -> list[TellingWord]:
        classifier = self._classifier.get()
        child = classifier.child(topic) if classifier is not None else None
        if classifier is None or child is None or not child.telling:
            return []
        best = max(feature.score for feature in child.telling) or 1.0
        return [
            TellingWord(
                classifier.written_.get(feature.stem, feature.stem), feature.score, feature.score / best, feature.pages
            )
            for feature in child.telling
        ]

    def close_topics(self, path: str) -> list[TopicNode]:
        """Return the topics that share most characteristic words with a topic, followed by its siblings.

        The topic itself, its ancestors and its descendants are left out.
        """
        told = self.overview()
        own = {word.word: word.share for word in self.telling(path)}
        shared: dict[str, float] = {}
        for other in told.nodes:
            if not _on_one_line(path, other):
                words = [word for word in self.telling(other) if word.word in own]
                if len(words) >= _SHARED:
                    shared[other] = sum(word.share * own[word.word] for word in words)
        above = path.rpartition("/")[0]
        beside = told.nodes[above].children if above in told.nodes else ()
        paths = [*sorted(shared, key=lambda other: (-shared[other], other)), *(node.path for node in beside)]
        return [told.nodes[other] for other in dict.fromkeys(paths) if other != path][:_CLOSE]

    def later_path(self, path: str) -> str | None:
        """Return the current path of a topic that was renamed, moved or merged, or None if it is unknown."""
        moves = self.store.topic_history.moves()
        known = self.overview().nodes
        for _ in range(_MOST_MOVES):
            parts = path.split("/")
            ways = ("/".join(parts[:end]) for end in range(len(parts), 0, -1))
            moved = next((way for way in ways if way in moves), None)
            if moved is None:
                return None
            path = moves[moved] + path[len(moved) :]
            if path in known:
                return path
        return None

    def _version(self) -> object:
        return self.store.log.last(), self._file_version(TOPICS)

    def _file_version(self, name: str) -> object:
        try:
            found = (self.portal / name).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size

    def _count(self) -> Overview:
        self._counts = follow(self._counts, self.store, self.clock() - WEEK)
        return overview(self.topics(), self._counts.by_topic, self._colours())

    def _colours(self) -> dict[str, int]:
        """Return the colours of the branches; a new branch gets one that it keeps."""
        known = self.store.topic_history.colours()
        new = new_colours(self.topics(), known)
        if new:
            # A read-only portal is still shown.
            with suppress(PortalError):
                self.store.topic_history.paint(new)
        return known | new

    def _load_classifier(self) -> HierarchicalClassifier | None:
        try:
            return load_classifier(self.portal, self.store)
        except (ThresherError, OSError):
            # A portal with no model or a damaged one can still be browsed.
            return None

    def _find_samples(self) -> list[str]:
        """Return a query for each of some topics that finds pages: a phrase of its titles, or else its best words."""
        told = self.overview()
        top = told.top[:_MOST_TOPICS]
        pages = {
            node.path: self.pages(
                self.store.catalogue.ids(PageSelection(topics=told.below(node.path)), ListOrder.BEST, _SAMPLED)
            )
            for node in top
        }
        found: list[str] = []
        for node in top:
            others = [page for path, own in pages.items() if path != node.path for page in own]
            telling = [word.word for topic in (node, *node.children) for word in self.telling(topic.path)[:_TELLING]]
            queries = [*sample_queries(pages[node.path], telling, others)[:_SAMPLES], first_plain(telling)]
            found += [query for query in queries if query and query not in found and self._finds(query)][:1]
            if len(found) == _SAMPLES:
                break
        return found

    def _finds(self, query: str) -> bool:
        try:
            return self.searcher().search(query, number=1).total > 0
        except (ThresherError, OSError):
            return False

    def _find_hubs(self) -> list[StartingPoint]:
        told = self.overview()
        found: list[StartingPoint] = []
        for node in told.top:
            ids = self.store.catalogue.ids(PageSelection(topics=told.below(node.path)), ListOrder.LINKS, 2)
            links = self.store.catalogue.links(ids)
            found += [StartingPoint(page, links[page.id].leads) for page in self.pages(ids)]
        return sorted((point for point in found if point.leads), key=lambda point: -point.leads)


def _on_one_line(one: str, other: str) -> bool:
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")

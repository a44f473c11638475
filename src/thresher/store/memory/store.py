"""The store in memory: dictionaries with the same interface as the SQLite store."""

from thresher.errors import PortalError
from thresher.store.memory.browsing import MemoryBrowserKeys, MemoryBrowsing
from thresher.store.memory.crawls import (
    MemoryChanges,
    MemoryCrawls,
    MemoryHosts,
    MemoryRequests,
    MemoryStartUrls,
    MemoryUrls,
)
from thresher.store.memory.decisions import MemoryDecisions, MemoryDeeds, MemoryLessons
from thresher.store.memory.learning import MemoryArchetypes, MemoryModels
from thresher.store.memory.link_graph import MemoryLinkGraph, MemoryScores
from thresher.store.memory.organising import MemoryOrganising
from thresher.store.memory.pages import MemoryDocuments, MemoryDuplicates
from thresher.store.memory.peers import MemoryPeers
from thresher.store.memory.portal import MemoryCatalogue, MemoryFeedKeys, MemoryInbox, MemorySessions, MemoryUsers
from thresher.store.memory.readers import MemoryClicks, MemoryTopicHistory, MemoryTries
from thresher.store.memory.search_feed import MemorySearchFeed
from thresher.store.memory.searches import MemorySearches
from thresher.store.memory.sites import MemorySites, write_sites
from thresher.store.memory.tables import Tables, taken, write_crawl, write_pages, write_urls
from thresher.store.memory.watch import MemoryCrawlWatch, MemoryPlaces
from thresher.store.memory.work import MemoryLooks, MemorySchedules, MemoryWorks
from thresher.store.records import Batch


class MemoryStore:
    """A portal's repository that lives as long as the process.

    >>> from thresher.store.records import CrawlKind
    >>> store = MemoryStore()
    >>> crawl = store.crawls.start(CrawlKind.CRAWL, "breadth-first", {}, at=0.0)
    >>> store.commit(Batch(crawl=crawl.id, at=1.0))
    2
    """

    def __init__(self) -> None:
        self._tables = Tables()
        self.crawls = MemoryCrawls(self._tables)
        self.urls = MemoryUrls(self._tables)
        self.hosts = MemoryHosts(self._tables)
        self.documents = MemoryDocuments(self._tables)
        self.duplicates = MemoryDuplicates(self._tables)
        self.graph = MemoryLinkGraph(self._tables)
        self.scores = MemoryScores(self._tables)
        self.search_feed = MemorySearchFeed(self._tables)
        self.searches = MemorySearches(self._tables)
        self.log = MemoryChanges(self._tables)
        self.requests = MemoryRequests(self._tables)
        self.start_urls = MemoryStartUrls(self._tables)
        self.models = MemoryModels(self._tables)
        self.archetypes = MemoryArchetypes(self._tables)
        self.catalogue = MemoryCatalogue(self._tables)
        self.users = MemoryUsers(self._tables)
        self.sessions = MemorySessions(self._tables)
        self.inbox = MemoryInbox(self._tables)
        self.works = MemoryWorks(self._tables)
        self.schedules = MemorySchedules(self._tables)
        self.looks = MemoryLooks()
        self.watch = MemoryCrawlWatch(self._tables)
        self.places = MemoryPlaces()
        self.decisions = MemoryDecisions(self._tables)
        self.lessons = MemoryLessons(self._tables)
        self.deeds = MemoryDeeds(self._tables)
        self.organising = MemoryOrganising(self._tables)
        self.tries = MemoryTries(self._tables)
        self.feed_keys = MemoryFeedKeys(self._tables)
        self.clicks = MemoryClicks(self._tables)
        self.topic_history = MemoryTopicHistory(self._tables)
        self.sites = MemorySites(self._tables)
        self.peers = MemoryPeers(self._tables)
        self.browsing = MemoryBrowsing(self._tables)
        self.browser_keys = MemoryBrowserKeys(self._tables)

    def commit(self, batch: Batch) -> int:
        """Write a batch as one change and return its last sequence number."""
        with self._tables.lock:
            if batch.crawl not in self._tables.crawls:
                raise PortalError(
                    f"This portal has no crawl {batch.crawl}.", "Start the crawl before writing its pages."
                )
            batch = taken(batch)
            before = self._tables.seq
            write_urls(self._tables, batch)
            write_pages(self._tables, batch)
            self._tables.models.extend(batch.models)
            write_sites(self._tables, batch)
            last = self._tables.seq if self._tables.seq > before else self._tables.draw()
            write_crawl(self._tables, batch, last)
            return last

    def check(self) -> list[str]:
        """Return the problems of the repository: never any."""
        return []

    def close(self) -> None:
        """Close the store; safe to call twice."""

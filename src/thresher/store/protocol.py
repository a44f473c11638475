"""The Store protocol: small tables and one way to write.

Every implementation passes `tests/store/contract.py`. All calls are synchronous and may be made from one writing thread
and any number of reading threads; everything committed is visible to later reads.
"""

from typing import Protocol

from thresher.store.browsing import BrowserKeys, Browsing
from thresher.store.clicks import Clicks
from thresher.store.crawl_tables import ChangeLog, Crawls, Hosts, Requests, StartUrls, Urls
from thresher.store.decisions import Decisions, Deeds, Lessons
from thresher.store.feed_keys import FeedKeys
from thresher.store.organise_tables import Organising
from thresher.store.page_tables import Documents, Duplicates, LinkGraph, Scores
from thresher.store.peer_tables import Peers
from thresher.store.portal_tables import Catalogue, Sessions, Submissions, Users
from thresher.store.records import Batch
from thresher.store.search_tables import Searches, SearchFeed
from thresher.store.site_tables import Sites
from thresher.store.topic_history import TopicHistory
from thresher.store.training_tables import Archetypes, Models
from thresher.store.tries import Tries
from thresher.store.work_tables import CrawlWatch, Looks, Places, Schedules, Works


class Store(Protocol):
    """A portal's repository."""

    @property
    def crawls(self) -> Crawls:
        """Return the table of crawls."""

    @property
    def urls(self) -> Urls:
        """Return the seen-set and the frontier."""

    @property
    def hosts(self) -> Hosts:
        """Return hosts and robots.txt files."""

    @property
    def documents(self) -> Documents:
        """Return the pages."""

    @property
    def duplicates(self) -> Duplicates:
        """Return the pages that repeat others."""

    @property
    def graph(self) -> LinkGraph:
        """Return the links of the whole portal."""

    @property
    def scores(self) -> Scores:
        """Return link-analysis scores."""

    @property
    def search_feed(self) -> SearchFeed:
        """Return what the search index reads."""

    @property
    def searches(self) -> Searches:
        """Return saved searches and feedback on results."""

    @property
    def log(self) -> ChangeLog:
        """Return the change log."""

    @property
    def requests(self) -> Requests:
        """Return requests from other processes."""

    @property
    def start_urls(self) -> StartUrls:
        """Return the start pages."""

    @property
    def models(self) -> Models:
        """Return the trained classifiers."""

    @property
    def archetypes(self) -> Archetypes:
        """Return the pages proposed to teach the topics."""

    @property
    def catalogue(self) -> Catalogue:
        """Return the accepted pages, as shown in lists."""

    @property
    def users(self) -> Users:
        """Return the accounts of the web portal."""

    @property
    def sessions(self) -> Sessions:
        """Return the browsers that are signed in."""

    @property
    def feed_keys(self) -> FeedKeys:
        """Return the keys that give programs access to feeds."""

    @property
    def inbox(self) -> Submissions:
        """Return submissions from readers."""

    @property
    def sites(self) -> Sites:
        """Return the sites that crawls for websites have read."""

    @property
    def works(self) -> Works:
        """Return the work started from the portal."""

    @property
    def schedules(self) -> Schedules:
        """Return the schedules that start work."""

    @property
    def looks(self) -> Looks:
        """Return when people last viewed the report."""

    @property
    def watch(self) -> CrawlWatch:
        """Return the current activity of a crawl."""

    @property
    def places(self) -> Places:
        """Return the positions of pages in the picture of the graph."""

    @property
    def decisions(self) -> Decisions:
        """Return people's decisions about pages."""

    @property
    def lessons(self) -> Lessons:
        """Return lessons from answers."""

    @property
    def deeds(self) -> Deeds:
        """Return other changes made by people."""

    @property
    def organising(self) -> Organising:
        """Return the steps that moved pages after a crawl."""

    @property
    def tries(self) -> Tries:
        """Return counts of attempts."""

    @property
    def clicks(self) -> Clicks:
        """Return the results readers opened."""

    @property
    def browsing(self) -> Browsing:
        """Return the browsing sessions."""

    @property
    def browser_keys(self) -> BrowserKeys:
        """Return the keys that let browsers send sessions."""

    @property
    def topic_history(self) -> TopicHistory:
        """Return former topic names and topic colours."""

    @property
    def peers(self) -> Peers:
        """Return other portals and their models."""

    def commit(self, batch: Batch) -> int:
        """Write a batch in one transaction and return its last sequence number; raise PortalFull on a full disk."""

    def check(self) -> list[str]:
        """Return the problems of the repository, empty if there are none; may read all of it."""

    def close(self) -> None:
        """Close the store; safe to call twice."""

"""The Store protocol: a few small tables and one way to write.

Every implementation passes `tests/store/contract.py`. All calls are synchronous and may be made from one writing and
any number of reading threads; what is committed is seen by every later read.
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
from thresher.store.portal_tables import Catalogue, Inbox, Sessions, Users
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
        """Return the seen-set and frontier."""

    @property
    def hosts(self) -> Hosts:
        """Return hosts and robots files."""

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
        """Return what link analysis says of pages."""

    @property
    def search_feed(self) -> SearchFeed:
        """Return what the search index reads."""

    @property
    def searches(self) -> Searches:
        """Return what people keep of their searches."""

    @property
    def log(self) -> ChangeLog:
        """Return the log of changes."""

    @property
    def requests(self) -> Requests:
        """Return what other processes ask."""

    @property
    def start_urls(self) -> StartUrls:
        """Return the pages crawls start from."""

    @property
    def models(self) -> Models:
        """Return the trained classifiers."""

    @property
    def archetypes(self) -> Archetypes:
        """Return the pages proposed to teach the topics."""

    @property
    def catalogue(self) -> Catalogue:
        """Return the accepted pages, as lists show them."""

    @property
    def users(self) -> Users:
        """Return the accounts of the web portal."""

    @property
    def sessions(self) -> Sessions:
        """Return the browsers that are signed in."""

    @property
    def feed_keys(self) -> FeedKeys:
        """Return the keys by which programs read feeds."""

    @property
    def inbox(self) -> Inbox:
        """Return what readers sent in."""

    @property
    def sites(self) -> Sites:
        """Return the sites that crawls for websites have read."""

    @property
    def works(self) -> Works:
        """Return the work that was started from the portal."""

    @property
    def schedules(self) -> Schedules:
        """Return when work is started by itself."""

    @property
    def looks(self) -> Looks:
        """Return when people last looked at the report."""

    @property
    def watch(self) -> CrawlWatch:
        """Return what a crawl is doing."""

    @property
    def places(self) -> Places:
        """Return where pages stand in the picture of the graph."""

    @property
    def decisions(self) -> Decisions:
        """Return what people have decided about pages."""

    @property
    def lessons(self) -> Lessons:
        """Return what answers would teach, or did."""

    @property
    def deeds(self) -> Deeds:
        """Return what people have changed besides."""

    @property
    def organising(self) -> Organising:
        """Return the steps that moved pages after a crawl."""

    @property
    def tries(self) -> Tries:
        """Return how often somebody tried something."""

    @property
    def clicks(self) -> Clicks:
        """Return which results readers opened."""

    @property
    def browsing(self) -> Browsing:
        """Return the browsing sessions."""

    @property
    def browser_keys(self) -> BrowserKeys:
        """Return the keys of browsers that may send sessions."""

    @property
    def topic_history(self) -> TopicHistory:
        """Return what topics were called before, and their colours."""

    @property
    def peers(self) -> Peers:
        """Return other portals and their models."""

    def commit(self, batch: Batch) -> int:
        """Write a batch in one transaction and return its last sequence number; raises PortalFull on a full disk."""

    def check(self) -> list[str]:
        """Return problems of the repository, empty if there are none; may read all of it."""

    def close(self) -> None:
        """Close the store; safe to call twice."""

"""The SQLite store: opens a portal's repository and commits batches to it."""

import os
from pathlib import Path
from typing import Final

import apsw

from thresher.errors import PortalError, command
from thresher.faults import PortalUnusable
from thresher.store.locks import LockUse
from thresher.store.look_ups import QueryLimits, Table
from thresher.store.records import Batch
from thresher.store.soundness import sound
from thresher.store.sqlite import numbers
from thresher.store.sqlite.addresses import Addresses
from thresher.store.sqlite.archetypes import SqliteArchetypes
from thresher.store.sqlite.browsing import SqliteBrowserKeys, SqliteBrowsing
from thresher.store.sqlite.catalogue import SqliteCatalogue
from thresher.store.sqlite.changes import SqliteChanges
from thresher.store.sqlite.clicks import SqliteClicks
from thresher.store.sqlite.connection import PAGE_BYTES, Database, fetch
from thresher.store.sqlite.crawls import SqliteCrawls, write_progress
from thresher.store.sqlite.decisions import SqliteDecisions, SqliteDeeds, SqliteLessons, keep_settled
from thresher.store.sqlite.documents import SqliteDocuments
from thresher.store.sqlite.duplicates import SqliteDuplicates, write_blocks, write_duplicates
from thresher.store.sqlite.failures import plain_failures
from thresher.store.sqlite.feed_keys import SqliteFeedKeys
from thresher.store.sqlite.hosts import SqliteHosts, write_hosts
from thresher.store.sqlite.inbox import SqliteInbox
from thresher.store.sqlite.link_graph import SqliteLinkGraph
from thresher.store.sqlite.look_ups import look_up
from thresher.store.sqlite.migrations import check, make, migrate, packaged
from thresher.store.sqlite.models import SqliteModels, write_models
from thresher.store.sqlite.organising import SqliteOrganising
from thresher.store.sqlite.ownership import refuse_foreign
from thresher.store.sqlite.pages import last_visits, mark_gone, pack_page, write_judgements, write_pages, write_previews
from thresher.store.sqlite.peers import SqlitePeers
from thresher.store.sqlite.people import SqliteSessions, SqliteUsers
from thresher.store.sqlite.queues import queue_numbers
from thresher.store.sqlite.requests import SqliteRequests, write_replies
from thresher.store.sqlite.scores import SqliteScores
from thresher.store.sqlite.search_feed import SqliteSearchFeed
from thresher.store.sqlite.searches import SqliteSearches
from thresher.store.sqlite.sites import SqliteSites, write_sites
from thresher.store.sqlite.start_urls import SqliteStartUrls
from thresher.store.sqlite.topic_history import SqliteTopicHistory
from thresher.store.sqlite.tries import SqliteTries
from thresher.store.sqlite.urls import SqliteUrls, pack_urls, write_urls
from thresher.store.sqlite.visits import write_events, write_visits
from thresher.store.sqlite.watch import SqliteCrawlWatch, SqlitePlaces
from thresher.store.sqlite.work import SqliteLooks, SqliteSchedules, SqliteWorks

DATABASE: Final = "portal.db"


class SqliteStore:
    """A portal's repository in one SQLite database; opened by `SqliteBackend`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.crawls = SqliteCrawls(database)
        self.urls = SqliteUrls(database)
        self.hosts = SqliteHosts(database)
        self.documents = SqliteDocuments(database)
        self.duplicates = SqliteDuplicates(database)
        self.graph = SqliteLinkGraph(database)
        self.scores = SqliteScores(database)
        self.search_feed = SqliteSearchFeed(database)
        self.searches = SqliteSearches(database)
        self.log = SqliteChanges(database)
        self.requests = SqliteRequests(database)
        self.start_urls = SqliteStartUrls(database)
        self.models = SqliteModels(database)
        self.archetypes = SqliteArchetypes(database)
        self.catalogue = SqliteCatalogue(database)
        self.users = SqliteUsers(database)
        self.sessions = SqliteSessions(database)
        self.inbox = SqliteInbox(database)
        self.works = SqliteWorks(database)
        self.schedules = SqliteSchedules(database)
        self.looks = SqliteLooks(database)
        self.watch = SqliteCrawlWatch(database)
        self.places = SqlitePlaces(database)
        self.decisions = SqliteDecisions(database)
        self.lessons = SqliteLessons(database)
        self.deeds = SqliteDeeds(database)
        self.organising = SqliteOrganising(database)
        self.tries = SqliteTries(database)
        self.feed_keys = SqliteFeedKeys(database)
        self.clicks = SqliteClicks(database)
        self.topic_history = SqliteTopicHistory(database)
        self.sites = SqliteSites(database)
        self.peers = SqlitePeers(database)
        self.browsing = SqliteBrowsing(database)
        self.browser_keys = SqliteBrowserKeys(database)

    def commit(self, batch: Batch) -> int:
        """Write a batch in one transaction and return its last sequence number; raise PortalFull on a full disk.

        After PortalFull, nothing of the batch is written, and the same batch can be committed again. A batch that
        replies to requests or has a model survives power loss.
        """
        try:
            return self._commit(batch)
        except UnicodeEncodeError:
            return self._commit(sound(batch))

    def _commit(self, batch: Batch) -> int:
        addresses = Addresses(self._database.reader(), batch)
        queues = queue_numbers(self._database, {row.candidate.queue for row in batch.urls})
        urls = pack_urls(batch, queues, addresses)
        pages = [pack_page(row, addresses) for row in batch.documents]
        count = len(batch.visits) + len(pages) + len(batch.judgements) + len(batch.events)
        with self._database.writing(durable=bool(batch.replies or batch.models)) as connection:
            first = numbers.draw(connection, max(count, 1))
            last = first + max(count, 1) - 1
            write_progress(connection, batch, last)
            write_urls(connection, batch, urls)
            write_hosts(connection, batch)
            write_visits(connection, batch.crawl, batch.visits, first)
            visited = last_visits(batch.visits, first)
            mark_gone(connection, batch.visits, first, (row.url_id for row in batch.documents))
            first += len(batch.visits)
            write_blocks(connection, batch.documents)
            write_pages(connection, batch.crawl, pages, first, visited)
            write_duplicates(connection, batch)
            write_judgements(connection, batch.judgements, first + len(pages))
            keep_settled(connection, (*batch.judgements, *(row.url_id for row in batch.documents)))
            write_previews(connection, batch.previews)
            write_events(connection, batch.crawl, batch.events, first + len(pages) + len(batch.judgements))
            write_models(connection, batch.models)
            write_sites(connection, batch)
            write_replies(connection, batch.replies, last)
        return last

    def check(self) -> list[str]:
        """Return the problems of the database file, empty if it is sound; reads all of it."""
        try:
            found = fetch(self._database.reader(), "PRAGMA integrity_check")
        except (apsw.CorruptError, apsw.NotADBError) as error:
            return [str(error)]
        return [problem for (problem,) in found if problem != "ok"]

    def lock_use(self) -> LockUse:
        """Return how this store has held the portal's write lock so far."""
        return self._database.lock.use

    def close(self) -> None:
        """Close the store; safe to call twice."""
        self._database.close()


class SqliteBackend:
    """Repositories as one SQLite database each, the file `portal.db` in the portal's directory."""

    name = "sqlite"

    def version(self) -> str:
        """Return the versions of SQLite and of its Python library."""
        return f"{apsw.sqlite_lib_version()}, through apsw {apsw.apsw_version()}"

    def holds(self, portal: Path) -> bool:
        """Return whether a directory has a database."""
        return os.path.lexists(portal / DATABASE)

    def writable(self, portal: Path) -> bool:
        """Return whether this user may write to the database and to its directory."""
        return os.access(portal, os.W_OK) and os.access(portal / DATABASE, os.W_OK)

    def look_up(self, portal: Path, sql: str, limits: QueryLimits) -> Table:
        """Return the result of a read-only query; raise InputError if it is refused or wrong."""
        return look_up(portal / DATABASE, sql, limits)

    def open(self, portal: Path, *, read_only: bool = False) -> SqliteStore:
        """Open the database of a portal, creating it if missing.

        When opened for writing, a database of an older format is upgraded, and a copy of it is kept.
        """
        path = portal / DATABASE
        with plain_failures():
            if self.holds(portal):
                refuse_foreign(path)
        database = Database(path, read_only=read_only)
        steps = packaged()
        try:
            with plain_failures():
                if read_only and not check(database.reader(), steps):
                    raise PortalError(
                        "This portal has an older format than this program.",
                        f"Upgrade it (a copy is kept) with: {command('rank', portal)}",
                        PortalUnusable(),
                    )
                if not read_only:
                    with database.lock:
                        if not self.holds(portal):
                            make(path, steps, PAGE_BYTES)
                        migrate(database.writer(), path, steps)
        except BaseException:
            database.close()
            raise
        return SqliteStore(database)

"""The Store protocol: a few small tables and one way to write.

Every implementation passes `tests/store/contract.py`. All calls are synchronous and may be made from one writing and
any number of reading threads; what is committed is seen by every later read.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from thresher.reasons import Reason
from thresher.store.page_records import (
    AcceptedPage,
    Alike,
    Copied,
    DocumentRow,
    DuplicateKind,
    DuplicateRow,
    KnownPage,
    LinkedPage,
    PageCount,
    PageScores,
    VisitRow,
)
from thresher.store.portal_records import (
    FeedbackRow,
    LinkNumbers,
    ListedPage,
    ListOrder,
    ProposalRow,
    Role,
    SessionRow,
    Shelf,
    TopicSite,
    UserRow,
)
from thresher.store.records import ArchetypeRow, Batch, CrawlKind, CrawlRow, LogEntry, ModelRow
from thresher.store.request_records import Command, Reply, Request
from thresher.store.search_records import PageHead, PageText, SavedSearch, SearchablePage, SearchFeedback
from thresher.store.url_records import HostRow, Letter, RobotsRow, UrlRow, UrlState, Waiting
from thresher.types import Judgement


class Crawls(Protocol):
    """The crawls of a portal."""

    def start(self, kind: CrawlKind, strategy: str, settings: dict[str, Any], at: float) -> CrawlRow:
        """Add a crawl and return its row; durable at once."""

    def get(self, crawl: int | None = None) -> CrawlRow | None:
        """Return a crawl, the newest one for None; None where there is no such crawl."""

    def strategy_state(self, crawl: int) -> tuple[dict[str, Any], int] | None:
        """Return the saved state of the strategy and the sequence number of its batch, or None where none was saved."""

    def shard_memory(self, crawl: int) -> bytes | None:
        """Return what the shard remembered beside its rows when it was last saved, or None where nothing was."""


class Urls(Protocol):
    """The seen-set and the frontier of each crawl."""

    def states(self, crawl: int, ids: Sequence[int]) -> dict[int, UrlState]:
        """Return the state of each id the crawl has seen; unseen ids are absent."""

    def rows(self, crawl: int, ids: Sequence[int]) -> dict[int, UrlRow]:
        """Return the full rows of the ids the crawl has seen; unseen ids are absent."""

    def waiting(self, crawl: int) -> Iterator[Waiting]:
        """Give every waiting URL in the order they were offered."""

    def outbox(self, crawl: int) -> list[Letter]:
        """Return the candidates that have not arrived at their shards, in the order of their ids."""


class Hosts(Protocol):
    """What each crawl knows of hosts, and what the portal knows of robots files."""

    def hosts(self, crawl: int, names: Sequence[str]) -> dict[str, HostRow]:
        """Return the rows of the hosts the crawl has met; others are absent."""

    def totals(self, crawl: int) -> tuple[int, int]:
        """Return how many pages of all hosts the crawl has counted, and how many of them were accepted."""

    def robots(self, origin: str) -> RobotsRow | None:
        """Return the stored robots file of an origin, fresh or stale, or None."""


class Documents(Protocol):
    """The pages of the portal."""

    def document(self, url_id: int) -> DocumentRow | None:
        """Return a page with its text, terms, links and judgement, or None where the portal has no such page."""

    def visits(self, url_id: int) -> list[VisitRow]:
        """Return all visits of a URL in all crawls, oldest first."""

    def terms(self, ids: Sequence[int]) -> dict[int, dict[str, int]]:
        """Return the stems with their counts of the stored pages among some ids."""

    def inlinks(self, url_id: int) -> list[tuple[str, str]]:
        """Return (URL of the source page, anchor text) of every stored link to a URL, oldest page first."""

    def judgement(self, url_id: int) -> Judgement | None:
        """Return the newest judgement of a page, or None where it was never judged."""

    def urls(self) -> Iterator[str]:
        """Give the URL of every stored page, in the order of the ids."""

    def counts(self) -> list[PageCount]:
        """Return how many pages there are of each topic and kind, those that are gone left out; the most first."""

    def due(self, before: float, limit: int = 0) -> Iterator[KnownPage]:
        """Give the pages last visited before a wall time, the longest ago first; 0 gives all of them."""

    def members(self, archive: str) -> list[Copied]:
        """Return the stored members of an archive that are not gone, in the order of the ids."""

    def rejected(self, limit: int) -> Iterator[str]:
        """Give the URLs of at most `limit` pages that every topic rejected when last judged, least confident first."""

    def accepted(self, topic: str | None = None, *, limit: int = 0, offset: int = 0) -> Iterator[AcceptedPage]:
        """Give the pages that a topic or one below it has accepted, the most confident first.

        `topic` is a written path, None for all topics; a limit of 0 gives all. Left out are pages that are gone and
        pages that ask not to be indexed.
        """

    def count_accepted(self, topic: str | None = None) -> int:
        """Return how many pages `accepted` gives without a limit."""


class Duplicates(Protocol):
    """Pages that repeat others, and the look-ups by which they are found."""

    def same_text(self, digest: bytes) -> list[tuple[int, str]]:
        """Return (id, URL) of the stored pages with a digest, oldest first; none for the empty digest, no gone ones."""

    def alike(self, simhash: int, within: int) -> list[Alike]:
        """Return the stored pages, not gone, whose simhash differs in at most `within` (0 to 3) bits; nearest first."""

    def of(self, url_id: int) -> list[DuplicateRow]:
        """Return what a page repeats, in the order of the kinds' names; empty where it is no duplicate."""

    def pairs(self, kind: DuplicateKind) -> Iterator[tuple[int, int]]:
        """Give (id, id of its original) of all duplicates of a kind, in the order of the ids."""


class LinkGraph(Protocol):
    """The links of the portal: around some pages, and all of them for link analysis.

    What is about all pages comes in blocks, each a read of its own, so that a crawl can go on: what it changes
    meanwhile may be seen or not, and a link may come twice.
    """

    def pages(self) -> Iterator[list[LinkedPage]]:
        """Give the pages that are not gone, in the order of the ids."""

    def edges(self) -> Iterator["array[int]"]:
        """Give the links of all stored pages as signed 64-bit numbers: source, target, source, target, …"""

    def outlinks(self, ids: Sequence[int]) -> dict[int, list[str]]:
        """Return where the stored pages among some ids link to: each URL once, in the order of the page."""

    def inlinks(self, ids: Sequence[int], most: int) -> dict[int, list[tuple[int, str]]]:
        """Return (id, URL) of at most `most` stored pages that link to each id, those of the smallest ids in order.

        No id is left out: it has an empty list where no page links to it.
        """

    def redirects(self) -> Iterator[tuple[int, int]]:
        """Give (id, id of where it led) of every URL that was found to redirect, by its newest redirect."""


class Scores(Protocol):
    """What link analysis says of pages; it stays when a page is written anew."""

    def keep(self, scores: Iterable[PageScores]) -> None:
        """Write scores in small transactions, with pauses for other writers; ids of no stored page are passed over."""

    def of(self, ids: Sequence[int]) -> dict[int, PageScores]:
        """Return the scores of the stored pages among some ids."""


class SearchFeed(Protocol):
    """What the search index reads. Whatever is about all pages comes in blocks, each a read of its own."""

    def pages(self, since: int) -> Iterator[list[SearchablePage]]:
        """Give the pages that were written, judged or found gone after a sequence number, in order."""

    def texts(self, ids: Sequence[int]) -> dict[int, PageText]:
        """Return the words of the stored pages among some ids."""

    def heads(self, ids: Sequence[int]) -> dict[int, PageHead]:
        """Return what results show of the stored pages among some ids."""

    def anchors(self, id_: int, most: int) -> dict[str, int]:
        """Return the texts of at most `most` links to a page, each with its count; those of the smallest ids count."""

    def targets(self, ids: Sequence[int]) -> dict[int, list[int]]:
        """Return the ids that the stored pages among some ids link to, each once and in order; none for no links."""

    def scores(self) -> Iterator[list[PageScores]]:
        """Give the link scores of all pages in the order of the ids."""

    def scores_version(self) -> int:
        """Return a number that changes whenever link analysis has written scores."""


class Searches(Protocol):
    """What people keep of their searches. Everything written is durable at once."""

    def save(self, search: SavedSearch) -> None:
        """Write a search in place of one with the same name."""

    def saved(self) -> list[SavedSearch]:
        """Return the saved searches, in the order of their names."""

    def forget(self, name: str) -> bool:
        """Delete a saved search; False where there is none of that name."""

    def add_feedback(self, feedback: SearchFeedback) -> int:
        """Write what a person found relevant and return its id."""

    def feedback(self) -> list[SearchFeedback]:
        """Return all feedback, oldest first."""

    def forget_feedback(self, ids: Sequence[int]) -> int:
        """Delete feedback, and return how much of it was there."""


class ChangeLog(Protocol):
    """What is new since a sequence number; every committed change has a higher one than all before."""

    def last(self) -> int:
        """Return the sequence number of the newest change, 0 for an empty portal."""

    def entries(self, since: int = 0, crawl: int | None = None) -> Iterator[LogEntry]:
        """Give visits and events with a sequence number above `since`, in order."""

    def details(self, crawl: int, reason: Reason) -> dict[str, int]:
        """Return how often visits of a crawl that ended in a reason gave each detail, the most frequent first."""

    def last_archived(self) -> tuple[str, int] | None:
        """Return file and offset of the newest archived answer that a visit names, or None where there is none."""

    def archived(self) -> dict[str, int]:
        """Return how many different answers in each file of the archive visits name."""

    def documents_since(self, since: int) -> Iterator[tuple[int, str]]:
        """Give (sequence number, URL) of pages written or changed after `since`, in order."""


class Requests(Protocol):
    """What other processes ask of the engine."""

    def leave(self, command: Command, at: float) -> Request:
        """Add a request; once this returns it survives even power loss."""

    def open(self) -> list[Request]:
        """Return the requests that no batch has replied to, oldest first."""

    def replies(self, ids: Sequence[int]) -> dict[int, Reply]:
        """Return the replies to those requests among some ids that have one."""


class StartUrls(Protocol):
    """The pages crawls of a portal start from."""

    def add(self, urls: Sequence[str], at: float) -> None:
        """Add start pages; those that are there already stay as they are. Durable at once."""

    def urls(self) -> list[str]:
        """Return the start pages in the order they were added."""


class Models(Protocol):
    """The classifiers a portal has been given by training."""

    def add(self, row: ModelRow) -> None:
        """Add a model whose file is complete on disk; durable at once."""

    def newest(self) -> ModelRow | None:
        """Return the model that was added last and not rolled back, or None where there is none."""

    def all(self) -> list[ModelRow]:
        """Return all models, oldest first, those rolled back among them."""

    def roll_back(self, files: Sequence[str]) -> None:
        """Mark models as not to be used; durable at once."""


class Archetypes(Protocol):
    """Pages proposed to teach the topics."""

    def put(self, rows: Sequence[ArchetypeRow]) -> None:
        """Write archetypes, each once for its topic; what was said of one before is replaced. Durable at once."""

    def propose(self, rows: Sequence[ArchetypeRow]) -> None:
        """Write archetypes in place of all that a person has said nothing of, in one transaction. Durable at once."""

    def all(self) -> list[ArchetypeRow]:
        """Return all archetypes by topic, within it the most confident first."""


class Catalogue(Protocol):
    """The accepted pages of the portal, as lists show them; those that are gone are left out."""

    def ids(self, shelf: Shelf, order: ListOrder, limit: int, offset: int = 0) -> list[int]:
        """Return the ids of the pages of a shelf from a place on; by authority or hub only those that have a score."""

    def pages(self, ids: Sequence[int]) -> dict[int, ListedPage]:
        """Return the accepted pages among some ids."""

    def sites(self, new_since: float) -> list[TopicSite]:
        """Return how many pages of each topic come from each host, and how many were found since a wall time."""

    def links(self, ids: Sequence[int]) -> dict[int, LinkNumbers]:
        """Return how the pages of some ids are linked; links of a page to itself do not count."""


class Users(Protocol):
    """The accounts of the web portal."""

    def add(self, name: str, role: Role, password: str, at: float) -> UserRow | None:
        """Add an account and return it; None where the name is taken, whatever its case. Durable at once."""

    def get(self, name: str) -> UserRow | None:
        """Return the account of a name, whatever its case, or None."""

    def all(self) -> list[UserRow]:
        """Return all accounts, oldest first."""

    def change(self, user: UserRow) -> None:
        """Write role and password of an account anew. Durable at once."""

    def remove(self, user: int) -> None:
        """Remove an account and sign it out everywhere. Durable at once."""


class Sessions(Protocol):
    """The browsers that are signed in to the web portal."""

    def open(self, session: SessionRow) -> None:
        """Add a session and drop all that have expired by the time it was made."""

    def user(self, digest: bytes, at: float) -> UserRow | None:
        """Return whose session has a digest; None where there is none, or where it has expired."""

    def end(self, *, digest: bytes | None = None, user: int | None = None) -> None:
        """End one session, or all of an account. Durable at once."""


class Inbox(Protocol):
    """What readers of the web portal send in."""

    def say(self, row: FeedbackRow) -> int:
        """Add what a reader said of a page, count it for the page, and return its number. Durable at once."""

    def propose(self, row: ProposalRow) -> int:
        """Add a proposal and return its number. Durable at once."""

    def feedback(self) -> list[FeedbackRow]:
        """Return all feedback, oldest first."""

    def proposals(self) -> list[ProposalRow]:
        """Return all proposals, oldest first."""


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
    def inbox(self) -> Inbox:
        """Return what readers sent in."""

    def commit(self, batch: Batch) -> int:
        """Write a batch in one transaction and return its last sequence number; raises PortalFull on a full disk."""

    def check(self) -> list[str]:
        """Return what is wrong with the repository, empty where it is sound; may read all of it."""

    def close(self) -> None:
        """Give the store back; safe to call twice."""

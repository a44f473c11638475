"""The tables of the store in memory, and how batches are written to them."""

import threading
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from thresher.site_types import SitePageRow, SiteRow, SiteVerdict
from thresher.store.browsing import BrowserKey
from thresher.store.decisions import Decided, DecisionRow, DeedRow, LessonRow
from thresher.store.logentries import event_entry, visit_entry
from thresher.store.organise_records import StepRow
from thresher.store.page_records import DocumentRow, DuplicateKind, DuplicateRow, PageScores, ReviewState, VisitRow
from thresher.store.portal_records import FeedbackRow, ProposalRow, SessionRow, UserRow
from thresher.store.presence import presence
from thresher.store.records import ArchetypeRow, Batch, CrawlRow, LogEntry, ModelRow
from thresher.store.request_records import Reply, Request
from thresher.store.search_records import SavedSearch, SearchFeedback
from thresher.store.settled_topics import with_topic
from thresher.store.simhash_blocks import blocks
from thresher.store.soundness import sound
from thresher.store.url_records import HostRow, Letter, RobotsRow, UrlRow
from thresher.types import Judgement

T = TypeVar("T")


class Tables:
    """The shared state of a store: its rows, its sequence numbers and its lock."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.seq = 0
        self.crawls: dict[int, CrawlRow] = {}
        self.strategy_states: dict[int, tuple[dict[str, Any], int]] = {}
        self.shard_memories: dict[int, bytes] = {}
        self.outbox: dict[tuple[int, int], Letter] = {}
        self.urls: dict[int, dict[int, UrlRow]] = {}
        self.hosts: dict[tuple[int, str], HostRow] = {}
        self.robots: dict[str, RobotsRow] = {}
        self.visits: dict[int, list[VisitRow]] = {}
        self.last_archived: tuple[str, int] | None = None
        self.archived: dict[str, set[int]] = {}
        self.log: list[LogEntry] = []
        self.documents: dict[int, tuple[int, DocumentRow]] = {}
        self.digests: dict[bytes, set[int]] = {}
        self.blocks: dict[int, set[int]] = {}
        self.duplicates: dict[tuple[int, DuplicateKind], DuplicateRow] = {}
        self.scores: dict[int, PageScores] = {}
        self.scores_version = 0
        self.saved_searches: dict[str, SavedSearch] = {}
        self.search_feedback: dict[int, SearchFeedback] = {}
        self.sources: dict[int, set[int]] = {}
        self.judgements: dict[int, Judgement] = {}
        self.requests: dict[int, Request] = {}
        self.replies: dict[int, Reply] = {}
        self.start_urls: dict[str, float] = {}
        self.models: list[ModelRow] = []
        self.archetypes: dict[tuple[str, str], ArchetypeRow] = {}
        self.found: dict[int, float] = {}
        self.users: dict[int, UserRow] = {}
        self.sessions: dict[bytes, SessionRow] = {}
        self.feed_keys: dict[int, tuple[bytes, float]] = {}
        self.browser_keys: dict[bytes, BrowserKey] = {}
        self.feedback: list[FeedbackRow] = []
        self.proposals: list[ProposalRow] = []
        self.sites: dict[tuple[int, str], SiteRow] = {}
        self.site_pages: dict[tuple[int, str], dict[int, SitePageRow]] = {}
        self.site_verdicts: dict[str, SiteVerdict] = {}
        self.decisions: dict[int, DecisionRow] = {}
        self.settled: dict[int, Decided] = {}
        self.lessons: dict[int, LessonRow] = {}
        self.deeds: dict[int, DeedRow] = {}
        self.steps: dict[int, StepRow] = {}
        self.moves: dict[int, dict[int, tuple[Judgement, Judgement]]] = {}

    def judged(self, id_: int) -> Judgement | None:
        """Return the newest judgement of a page, with the topic a person settled, or None if there is none."""
        judged, settled = self.judgements.get(id_), self.settled.get(id_)
        return judged if settled is None else with_topic(judged, settled.topic)

    def state(self, id_: int) -> ReviewState:
        """Return the review state of a page."""
        return self.settled[id_].state if id_ in self.settled else ReviewState.UNREVIEWED

    def draw(self) -> int:
        """Return the next sequence number."""
        self.seq += 1
        return self.seq


def copied(value: T) -> T:
    """Return a copy made through MessagePack: callers share nothing with the store, and only plain data gets in."""
    try:
        data = msgspec.msgpack.encode(value)
    except UnicodeEncodeError:
        data = msgspec.msgpack.encode(sound(value))
    return msgspec.msgpack.decode(data, type=type(value))


def taken(batch: Batch) -> Batch:
    """Return a copy of a batch like `copied`, but share the immutable parts of its documents.

    Documents are most of a batch; copying all their words and links costs more than the rest of a commit.
    """
    try:
        msgspec.msgpack.encode(batch.documents)
    except UnicodeEncodeError:
        return copied(batch)
    documents = [replace(row, terms=dict(row.terms), links=list(row.links)) for row in batch.documents]
    return replace(copied(replace(batch, documents=[])), documents=documents)


def write_urls(tables: Tables, batch: Batch) -> None:
    """Write a batch's URLs, moves, scores and outbox; a stored row of another URL with the same id is kept."""
    seen = tables.urls.setdefault(batch.crawl, {})
    for row in batch.urls:
        if row.id not in seen or seen[row.id].candidate.url == row.candidate.url:
            seen[row.id] = row
    for move in batch.moves:
        if move.id in seen:
            seen[move.id] = replace(
                seen[move.id], state=move.state, reason=move.reason, tries=move.tries, not_before=move.not_before
            )
    for price in batch.prices:
        if price.id in seen:
            candidate = replace(seen[price.id].candidate, priority=price.priority)
            seen[price.id] = replace(seen[price.id], candidate=candidate)
    tables.outbox.update({(batch.crawl, letter.id): letter for letter in batch.outbox})
    for id_ in batch.delivered:
        tables.outbox.pop((batch.crawl, id_), None)


def write_pages(tables: Tables, batch: Batch) -> None:
    """Write a batch's visits, documents and events, each under its own sequence number."""
    seen: dict[int, tuple[int, VisitRow]] = {}
    for visit in batch.visits:
        tables.visits.setdefault(visit.url_id, []).append(visit)
        if visit.archive:
            tables.last_archived = (visit.archive, visit.offset)
            tables.archived.setdefault(visit.archive, set()).add(visit.offset)
        seq = tables.draw()
        tables.log.append(visit_entry(seq, batch.crawl, visit))
        seen[visit.url_id] = (seq, visit)
    for seq, visit in seen.values():
        _mark(tables, seq, visit)
    for document in batch.documents:
        _link(tables, document)
        _index(tables, document)
        tables.documents[document.url_id] = (tables.draw(), replace(document, gone=None))
        tables.found.setdefault(document.url_id, document.at)
        if document.judgement is not None:
            tables.judgements[document.url_id] = document.judgement
    for id_, judgement in batch.judgements.items():
        seq = tables.draw()
        if id_ in tables.documents:
            tables.judgements[id_] = judgement
            tables.documents[id_] = (seq, tables.documents[id_][1])
    for id_, preview in batch.previews.items():
        if id_ in tables.documents:
            seq, document = tables.documents[id_]
            tables.documents[id_] = (seq, replace(document, preview=preview))
    written = {document.url_id for document in batch.documents} | {row.url_id for row in batch.duplicates}
    for id_ in written:
        for kind in DuplicateKind:
            tables.duplicates.pop((id_, kind), None)
    tables.duplicates.update({(row.url_id, row.kind): row for row in batch.duplicates})
    for event in batch.events:
        tables.log.append(event_entry(tables.draw(), batch.crawl, event))


def _mark(tables: Tables, seq: int, visit: VisitRow) -> None:
    """Mark a page as gone or back if a visit says so; it counts as changed by that visit."""
    there = presence(visit)
    known = tables.documents.get(visit.url_id)
    if known is None or known[1].url != visit.url or there is None or there is (known[1].gone is None):
        return
    tables.documents[visit.url_id] = (seq, replace(known[1], gone=None if there else visit.at))


def _link(tables: Tables, document: DocumentRow) -> None:
    """Record a page as the source of its links, and forget its earlier links."""
    if document.url_id in tables.documents:
        for link in tables.documents[document.url_id][1].links:
            tables.sources[link.target].discard(document.url_id)
    for link in document.links:
        tables.sources.setdefault(link.target, set()).add(document.url_id)


def _index(tables: Tables, document: DocumentRow) -> None:
    """Index a page by the digest and simhash of its text, and forget its earlier ones."""
    id_ = document.url_id
    if id_ in tables.documents:
        before = tables.documents[id_][1]
        tables.digests[before.digest].discard(id_)
        for block in blocks(before.simhash) if before.simhash else ():
            tables.blocks[block].discard(id_)
    tables.digests.setdefault(document.digest, set()).add(id_)
    for block in blocks(document.simhash) if document.simhash else ():
        tables.blocks.setdefault(block, set()).add(id_)


def write_crawl(tables: Tables, batch: Batch, last: int) -> None:
    """Write hosts, robots.txt files, replies and progress; `last` is the batch's last sequence number."""
    tables.hosts.update({(batch.crawl, row.host): row for row in batch.hosts})
    tables.robots.update({row.origin: row for row in batch.robots})
    for id_, reply in batch.replies.items():
        if id_ in tables.requests:
            tables.replies.setdefault(id_, reply)
    crawl = tables.crawls[batch.crawl]
    tables.crawls[batch.crawl] = replace(crawl, updated=batch.at, progress=batch.progress or crawl.progress)
    if batch.strategy_state is not None:
        tables.strategy_states[batch.crawl] = (batch.strategy_state, last)
    if batch.shard_memory is not None:
        tables.shard_memories[batch.crawl] = batch.shard_memory

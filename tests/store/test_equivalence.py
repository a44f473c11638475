"""Any sequence of batches gives the same reads in memory and in SQLite."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.link_graph_contract import pairs
from thresher.reasons import Reason, Unmet
from thresher.store.memory import MemoryStore
from thresher.store.page_records import DocumentRow, DuplicateKind, DuplicateRow, LinkRow, VisitRow
from thresher.store.protocol import Store
from thresher.store.records import Batch, EventRow, Progress
from thresher.store.repository import open_store
from thresher.store.request_records import AddUrl, Reply, RequestResult
from thresher.store.url_records import HostRow, Letter, MissingPage, RobotsRow, UrlMove, UrlPrice, UrlRow, UrlState
from thresher.types import Candidate, Copy, Judgement, Rejection
from thresher.web.urls import host_of, url_id

URLS = [f"http://{host}.test/{page}" for host in "ab" for page in range(3)]
# The last id belongs to no URL of the list: several URLs meet under it.
IDS = [*map(url_id, URLS), 42]

urls = st.sampled_from(URLS)
ids = st.sampled_from(IDS)
texts = st.text(st.characters(codec="utf-8"), max_size=8)
times = st.floats(0, 1e9)
finite = st.floats(allow_nan=False, allow_infinity=False)
priorities = st.lists(st.floats(allow_nan=False), max_size=3).map(tuple)
reasons = st.none() | st.sampled_from(Reason)
states = st.sampled_from(UrlState)
memos = st.dictionaries(texts, st.integers(-(2**53), 2**53) | texts | finite | st.lists(texts, max_size=2), max_size=2)
counts = st.integers(0, 2**40)

url_rows = st.builds(
    lambda url, collides, order, state, reason, tries, not_before, **of_candidate: UrlRow(
        id=42 if collides else url_id(url),
        host=host_of(url),
        candidate=Candidate(url=url, **of_candidate),
        order=order,
        state=state,
        reason=reason,
        tries=tries,
        not_before=not_before,
    ),
    url=urls,
    collides=st.integers(0, 4).map(lambda number: number == 0),
    order=st.integers(0, 2**50),
    state=states,
    reason=reasons,
    tries=st.integers(0, 9),
    not_before=times,
    priority=priorities,
    queue=texts,
    depth=st.integers(0, 99),
    parent=st.none() | urls | texts,
    anchor=texts,
    memo=texts,
    hops=st.integers(0, 25),
    lists=st.integers(0, 3),
    copy=st.none() | st.builds(Copy, etag=texts, digest=st.binary(max_size=4), at=times),
)
judgements = st.builds(
    Judgement,
    topic=st.none() | texts | st.sampled_from(["a", "a/b", "a/b/c", "ab", "a0", "a."]),
    confidence=finite,
    probability=finite,
    path=st.lists(texts, max_size=3).map(tuple),
    evidence=st.lists(st.tuples(texts, finite), max_size=2).map(tuple),
    model=texts,
    border=st.none() | finite,
    rejection=st.none()
    | st.builds(
        Rejection,
        rule=st.sampled_from(Unmet),
        topic=texts,
        needed=finite,
        found=st.none() | st.integers(0, 99),
    ),
)
# Few and near, so that pages are alike.
simhashes = st.sampled_from([0, 1, 3, 1 << 63, (1 << 64) - 1, 0xFFFF_0000_FFFF_0001, 0xFFFF_0000_FFFF_0003])
duplicates = st.builds(
    lambda url, original, **more: DuplicateRow(
        url_id=url_id(url), url=url, original=url_id(original), original_url=original, **more
    ),
    url=urls,
    original=urls,
    kind=st.sampled_from(DuplicateKind),
    distance=st.integers(0, 3),
    similarity=st.floats(0, 1),
)
links = st.builds(LinkRow, target=ids, target_url=urls, anchor=texts, rel=texts, tag=texts)
documents = st.builds(
    lambda url, **more: DocumentRow(url_id=url_id(url), url=url, host=host_of(url), **more),
    url=urls,
    at=times,
    title=texts,
    text=texts,
    terms=st.dictionaries(texts, st.integers(1, 99), max_size=3),
    links=st.lists(links, max_size=3),
    size=counts,
    depth=st.integers(0, 9),
    origin=st.none() | urls,
    digest=st.sampled_from([b"", b"d", b"e"]),
    simhash=simhashes,
    robots=st.lists(texts | st.just("noindex"), max_size=2).map(tuple),
    opt_outs=st.lists(texts, max_size=2).map(tuple),
    layout=st.binary(max_size=4),
    judgement=st.none() | judgements,
    preview=texts,
)
visits = st.builds(
    lambda url, **more: VisitRow(url_id=url_id(url), url=url, **more),
    url=urls,
    at=times,
    outcome=st.sampled_from(["fetched", "unchanged", "redirected", "failed"]),
    reason=reasons,
    status=st.none() | st.integers(100, 599),
    detail=texts,
    seconds=times,
    to=st.none() | urls,
    digest=st.binary(max_size=4),
    etag=texts,
)
hosts = st.builds(
    HostRow,
    host=texts,
    fetched=counts,
    accepted=counts,
    failures=counts,
    closed=reasons,
    free_at=times,
    delay=times,
    spent=counts,
    missing=st.lists(
        st.builds(MissingPage, origin=texts, digest=st.binary(max_size=4), simhash=st.integers(0, 2**64 - 1)),
        max_size=2,
    ).map(tuple),
)
batches = st.builds(
    Batch,
    crawl=st.integers(1, 2),
    at=times,
    urls=st.lists(url_rows, max_size=6),
    moves=st.lists(st.builds(UrlMove, ids, states, reasons, st.integers(0, 9), times), max_size=3),
    prices=st.lists(st.builds(UrlPrice, ids, priorities), max_size=3),
    visits=st.lists(visits, max_size=3),
    documents=st.lists(documents, max_size=3),
    duplicates=st.lists(duplicates, max_size=3),
    hosts=st.lists(hosts, max_size=2),
    robots=st.lists(
        st.builds(
            RobotsRow, origin=urls, at=times, expires=times, status=st.integers(0, 599), body=st.binary(max_size=9)
        ),
        max_size=2,
    ),
    events=st.lists(st.builds(EventRow, at=times, kind=texts, detail=memos), max_size=2),
    replies=st.dictionaries(st.integers(1, 4), st.builds(Reply, st.sampled_from(RequestResult), reasons), max_size=2),
    strategy_state=st.none() | memos,
    shard_memory=st.none() | st.binary(max_size=9),
    outbox=st.lists(
        st.builds(
            lambda id_, url, **of_candidate: Letter(id=id_, candidate=Candidate(url=url, **of_candidate)),
            st.integers(1, 4),
            urls,
            priority=priorities,
            anchor=texts,
            memo=texts,
        ),
        max_size=3,
    ),
    delivered=st.lists(st.integers(1, 4), max_size=2),
    progress=st.none() | st.builds(Progress, pages=counts, errors=st.dictionaries(texts, counts, max_size=2)),
)


def everything(store: Store, names: list[str]) -> list[object]:
    """Return all that can be read from a store."""
    return [
        [store.crawls.get(crawl) for crawl in (None, 1, 2, 3)],
        [store.crawls.strategy_state(crawl) for crawl in (1, 2)],
        [store.crawls.shard_memory(crawl) for crawl in (1, 2)],
        [store.urls.outbox(crawl) for crawl in (1, 2)],
        [store.urls.rows(crawl, IDS) for crawl in (1, 2)],
        [store.urls.states(crawl, IDS) for crawl in (1, 2)],
        [list(store.urls.waiting(crawl)) for crawl in (1, 2)],
        [store.hosts.hosts(crawl, names) for crawl in (1, 2)],
        [store.hosts.robots(url) for url in URLS],
        [store.documents.document(id_) for id_ in IDS],
        [store.documents.visits(id_) for id_ in IDS],
        [store.documents.inlinks(id_) for id_ in IDS],
        [store.documents.judgement(id_) for id_ in IDS],
        store.documents.terms(IDS),
        store.graph.outlinks(IDS),
        [store.graph.inlinks(IDS, most) for most in (1, 100)],
        list(store.documents.urls()),
        list(store.graph.pages()),
        pairs(store),
        sorted(store.graph.redirects()),
        [list(store.documents.due(before, limit)) for before, limit in ((1e10, 0), (1e8, 0), (1e10, 2))],
        [store.duplicates.same_text(digest) for digest in (b"", b"d", b"e")],
        [store.duplicates.alike([1, 1 << 63], within) for within in (0, 3)],
        [store.duplicates.of(id_) for id_ in IDS],
        [list(store.duplicates.pairs(kind)) for kind in DuplicateKind],
        [list(store.documents.rejected(limit)) for limit in (1, 9)],
        [list(store.documents.accepted(topic)) for topic in (None, "a", "a/b")],
        [list(store.documents.accepted(limit=limit, offset=1)) for limit in (0, 2)],
        [store.documents.count_accepted(topic) for topic in (None, "a", "a/b")],
        store.log.last(),
        list(store.log.entries()),
        list(store.log.entries(5, 2)),
        list(store.log.documents_since(3)),
        store.requests.open(),
        store.requests.replies([1, 2, 3, 4]),
    ]


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(sequence=st.lists(batches, max_size=5))
def test_both_stores_read_the_same(sequence: list[Batch]) -> None:
    names = sorted({row.host for batch in sequence for row in batch.hosts})
    with tempfile.TemporaryDirectory() as folder:
        sqlite, memory = open_store(Path(folder), create=True), MemoryStore()
        for store in (sqlite, memory):
            for number in (1, 2):
                store.crawls.start("crawl", "default", {"number": number}, at=1.0)
                store.requests.leave(AddUrl(url=f"http://a.test/{number}"), at=2.0)
        assert [sqlite.commit(batch) for batch in sequence] == [memory.commit(batch) for batch in sequence]
        for kept, expected in zip(everything(sqlite, names), everything(memory, names), strict=True):
            assert kept == expected
        sqlite.close()

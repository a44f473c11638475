"""Which pages only some other page has brought in."""

from hypothesis import given
from hypothesis import strategies as st

from tests.store.rows import document, link, url_row
from thresher.organise.removing import plan_removal, removal_rows
from thresher.store.decisions import DecisionKind, DecisionRow
from thresher.store.memory import MemoryStore
from thresher.store.page_records import VisitRow
from thresher.store.records import Batch, CrawlKind
from thresher.types import Judgement
from thresher.web.urls import url_id


def url(number: int) -> str:
    return f"http://{number}.test/"


def stored(links: dict[int, list[int]], redirects: dict[int, int] | None = None) -> MemoryStore:
    """Return a store of pages by number; even pages are in a topic."""
    store = MemoryStore()
    crawl = store.crawls.start(CrawlKind.HARVEST, "default", {}, at=1.0).id
    pages = [
        document(
            url(number),
            links=[link(url(to)) for to in targets],
            judgement=Judgement(topic="Tea" if number % 2 == 0 else None, confidence=0.5, probability=0.9),
        )
        for number, targets in links.items()
    ]
    visits = [
        VisitRow(url_id=url_id(url(old)), url=url(old), at=1.0, outcome="redirected", to=url(new))
        for old, new in (redirects or {}).items()
    ]
    store.commit(Batch(crawl=crawl, at=1.0, documents=pages, visits=visits))
    return store


def brought(store: MemoryStore, *pages: int, starts: tuple[int, ...] = (0,)) -> set[int]:
    plan = plan_removal(store, [url_id(url(page)) for page in pages], [url(start) for start in starts])
    numbers = {url_id(url(number)): number for number in range(50)}
    return {numbers[id_] for id_ in plan.brought}


def test_what_can_be_reached_otherwise_stays() -> None:
    store = stored({0: [1, 2], 1: [3, 4], 2: [4], 3: [5], 4: [], 5: [1, 6], 6: [], 7: [3]})
    assert brought(store, 1) == {3, 5, 6}
    assert brought(store, 2) == set()
    assert brought(store, 1, 2) == {3, 4, 5, 6}
    assert brought(store, 1, starts=(0, 5)) == {3}, "a start page brings itself in"
    assert brought(store, 7) == set(), "page 3 is reached without it"


def test_a_start_page_can_be_removed_and_pages_nobody_links_to_stay() -> None:
    store = stored({0: [1], 1: [2], 2: [], 8: [9], 9: []})
    assert brought(store, 0) == {1, 2}
    assert brought(store, 1, starts=()) == {2}
    assert 9 not in brought(store, 0)


def test_what_a_crawl_did_not_find_on_a_stored_page_stays() -> None:
    store = stored({0: [1], 1: [2, 3, 4, 5, 6], 2: [7], 3: [], 4: [], 5: [], 6: [], 7: []}, {30: 3})
    first = store.crawls.get()
    assert first is not None
    found = {2: None, 3: url(30), 4: "http://4.test/sitemap.xml", 5: url(1)}
    rows = [url_row(url(number), parent=parent) for number, parent in found.items()]
    store.commit(Batch(crawl=first.id, at=2.0, urls=rows))
    assert brought(store, 1) == {3, 5, 6}, "2 was given, 4 is in a sitemap, and 3 was led to by a redirect"
    for kind in (CrawlKind.ASK, CrawlKind.REFRESH):
        later = store.crawls.start(kind, "default", {}, at=3.0).id
        store.commit(Batch(crawl=later, at=3.0, urls=[url_row(url(5)), url_row(url(6))]))
    assert brought(store, 1) == {3, 5, 6}, "crawls that are given what is stored tell nothing"


def test_paths_lead_through_redirects() -> None:
    store = stored({0: [1, 10], 1: [11], 3: [], 4: []}, {10: 3, 11: 4})
    assert brought(store, 1) == {4}
    assert brought(store, 0) == {1, 3, 4}


def test_pages_that_a_person_has_judged_stay_and_are_counted() -> None:
    store = stored({0: [1], 1: [2, 3, 4], 2: [], 3: [], 4: []})
    for number, topic in ((2, "Tea"), (3, None)):
        kind = DecisionKind.RIGHT if topic else DecisionKind.IRRELEVANT
        row = DecisionRow(page=url_id(url(number)), url=url(number), kind=kind, at=1.0, shown=None, topic=topic)
        store.decisions.add(row)
    plan = plan_removal(store, [url_id(url(1))], [url(0)])
    assert plan.brought == [url_id(url(4))]
    assert (plan.kept, plan.in_topics) == (1, 1)
    rows = removal_rows(store, plan, 5.0, 7)
    assert [(row.url, row.kind, row.shown, row.user) for row in rows] == [
        (url(4), DecisionKind.REMOVED, "Tea", 7),
        (url(1), DecisionKind.IRRELEVANT, None, 7),
    ]


@given(
    st.dictionaries(st.integers(0, 12), st.lists(st.integers(0, 12), max_size=4), min_size=1, max_size=13),
    st.sets(st.integers(0, 12), min_size=1, max_size=3),
)
def test_what_goes_is_what_a_walk_without_the_page_does_not_reach(
    links: dict[int, list[int]], removed: set[int]
) -> None:
    links = {0: [], **links}
    pages = removed & set(links)

    def walk(starts: set[int], without: set[int]) -> set[int]:
        seen: set[int] = set()
        todo = list(starts)
        while todo:
            here = todo.pop()
            if here in links and here not in seen and here not in without:
                seen.add(here)
                todo += links[here]
        return seen

    assert brought(stored(links), *pages) == walk({0} | pages, set()) - walk({0}, pages) - pages

"""Witnesses, the second view and the halves of archetypes: what makes a page that was found good enough to teach."""

from hypothesis import given
from hypothesis import strategies as st

from tests.train.made import page, row
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.store.memory import MemoryStore
from thresher.store.records import Batch
from thresher.train.agreement import host_halves
from thresher.train.second_view import is_confirmed
from thresher.train.witnesses import Witnesses, half_of, parts_of
from thresher.types import ParsedPage
from thresher.web.urls import host_of, url_id

BOATS = ["boat sail mast keel wind rudder", "boat sail harbour keel wave anchor", "boat mast harbour wind deck rudder"]
TEA = ["tea leaf kettle cup milk oolong", "tea leaf kettle pot sugar brew", "tea cup pot brew milk oolong"]


def examples() -> list[tuple[ParsedPage, str | None]]:
    boats = [(page(text, f"http://b{n}.test/"), "Boats") for n, text in enumerate(BOATS)]
    return [*boats, *((page(text, f"http://t{n}.test/"), "Tea") for n, text in enumerate(TEA))]


def test_witnesses_agree_on_a_page_of_the_topic_and_not_on_one_with_a_few_of_its_words() -> None:
    witnesses = Witnesses().fit(examples())
    assert len(witnesses.without_part_) == 3
    whole = page("boat sail mast keel wind harbour rudder anchor deck wave", "http://x.test/")
    assert witnesses.agree(whole, "Boats")
    assert not witnesses.agree(whole, "Tea")
    assert not witnesses.agree(page("anchor engine brake gear wheel fuel", "http://y.test/"), "Boats")


def test_a_topic_of_one_page_has_witnesses_too() -> None:
    witnesses = Witnesses().fit([(page(BOATS[0], "http://b.test/"), "Boats")])
    assert witnesses.without_part_ == []
    assert len(witnesses.of_half_) == 2


@given(st.dictionaries(st.text(min_size=1), st.integers(1, 9)))
def test_halves_of_a_page_have_each_stem_once(terms: dict[str, int]) -> None:
    whole = ParsedPage(url="", title="", words=[], links=[], terms=terms)
    first, second = half_of(whole, 0).terms, half_of(whole, 1).terms
    assert {**first, **second} == terms
    assert not first.keys() & second.keys()


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 4)), max_size=20))
def test_no_topic_is_left_without_a_page_and_no_site_is_parted(drawn: list[tuple[str, int]]) -> None:
    pages = [(page(f"x {n}", f"http://s{site}.test/{n}"), topic) for n, (topic, site) in enumerate(drawn)]
    parts = parts_of(pages)
    for topic in "ab":
        own = [(part, host_of(one.url)) for part, (one, label) in zip(parts, pages, strict=True) if label == topic]
        assert len({part for part, _ in own}) != 1 or own[0][0] == -1
        if len({host for _, host in own}) > 1:
            assert len({host for _, host in own}) == len({(part, host) for part, host in own})


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 5)), max_size=30))
def test_halves_of_archetypes_share_no_host_of_a_topic(drawn: list[tuple[str, int]]) -> None:
    found = [(page(f"x {n}", f"http://s{site}.test/{n}"), topic) for n, (topic, site) in enumerate(drawn)]
    halves = host_halves(found)
    assert sorted(one.url for half in halves for one, _ in half) == sorted(one.url for one, _ in found)
    for topic in "ab":
        hosts = [{host_of(one.url) for one, label in half if label == topic} for half in halves]
        if len(hosts[0] | hosts[1]) > 1:
            assert not hosts[0] & hosts[1]
            assert all(hosts)


def stored(*links: tuple[str, str], title: str = "") -> tuple[MemoryStore, HierarchicalClassifier]:
    """Return a store with http://p.test/, which pages link to with some words, and a classifier."""
    store = MemoryStore()
    crawl = store.crawls.start("learn", "test", {}, 0.0)
    rows = [row("http://p.test/", "boat sail", title=title)]
    rows += [row(url, "x", anchors=(("http://p.test/", text),)) for url, text in links]
    store.commit(Batch(crawl=crawl.id, at=1.0, documents=rows))
    return store, HierarchicalClassifier().fit(examples())


def confirmed(store: MemoryStore, classifier: HierarchicalClassifier) -> bool:
    document = store.documents.document(url_id("http://p.test/"))
    assert document is not None
    return is_confirmed(store, document, "Boats", classifier)


def test_anchors_of_other_hosts_decide_and_a_title_only_without_them() -> None:
    assert confirmed(*stored(("http://q.test/", "sail boats and a mast"), title="tea"))
    assert not confirmed(*stored(("http://q.test/", "tea from a kettle"), title="boat sail"))
    assert confirmed(*stored(title="boat sail"))
    assert not confirmed(*stored(title="tea kettle"))
    assert not confirmed(*stored(title=""))


def test_anchors_of_the_own_host_are_no_second_view() -> None:
    assert not confirmed(*stored(("http://p.test/index", "sail boat mast"), title="tea kettle"))


def test_a_topic_that_is_not_known_confirms_nothing() -> None:
    store, classifier = stored(title="boat sail")
    document = store.documents.document(url_id("http://p.test/"))
    assert document is not None
    assert not is_confirmed(store, document, "Cars", classifier)

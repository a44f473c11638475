"""Words that the pages around a page add to it, where the settings ask for them."""

from msgspec.structs import replace

from tests.train.made import row
from tests.train.test_negatives import store_of
from thresher.classify.sibling_space import SpaceParameters
from thresher.config.load import load
from thresher.store.memory import MemoryStore
from thresher.store.page_records import LinkRow
from thresher.train.met_pages import met_pages
from thresher.train.surroundings import NEIGHBOURS, WORDS, agreed, seen_page
from thresher.train.training import parameters_of
from thresher.types import ParsedPage
from thresher.web.urls import url_id

TARGET = "http://target.test/"


def around() -> MemoryStore:
    """Return a store with a page, and three that link to it: two of other hosts, one of its own."""
    links = {"http://a.test/": "sailing boats", "http://b.test/": "sailing boats", "http://target.test/2": "home"}
    rows = [
        replace(row(url, f"sea harbour note{number}"), links=[LinkRow(url_id(TARGET), TARGET, anchor)])
        for number, (url, anchor) in enumerate(links.items())
    ]
    return store_of(row(TARGET, "wind"), *rows)


def seen(store: MemoryStore, parameters: SpaceParameters | None) -> dict[str, int]:
    document = store.documents.document(url_id(TARGET))
    assert document is not None
    return seen_page(store, document, parameters).terms


def test_by_default_a_page_has_its_own_words() -> None:
    store = around()
    assert seen(store, None) == seen(store, SpaceParameters()) == {"wind": 1}
    assert parameters_of(load().settings.train) == SpaceParameters()


def test_links_from_other_hosts_add_their_texts_once() -> None:
    assert seen(around(), SpaceParameters(anchors=True)) == {"wind": 1, "sail": 1, "boat": 1}


def test_neighbours_add_what_most_of_them_have() -> None:
    found = seen(around(), SpaceParameters(neighbours=True))
    assert found == {"wind": 1, "harbour": 1, "sea": 1}


def test_few_neighbours_say_nothing_and_many_not_too_much() -> None:
    page = ParsedPage(url="", title="", words=[], links=[])
    assert agreed(page, [{"sea": 1}] * 2) == {}
    many = [{f"word{number}": 1 for number in range(100)}] * NEIGHBOURS
    assert len(agreed(page, many)) == WORDS


def test_pages_met_are_seen_as_their_classifier_sees_them() -> None:
    chosen = load(overrides=["train.anchors=true", "train.pairs=true", "train.neighbours=true"]).settings.train
    assert parameters_of(chosen) == SpaceParameters(anchors=True, pairs=True, neighbours=True)
    found = {page.url: page.terms for page in met_pages(around(), (), SpaceParameters(anchors=True))}
    assert found[TARGET] == {"wind": 1, "sail": 1, "boat": 1}

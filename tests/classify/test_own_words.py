"""Words in lists of links are not a page's own; words of links in running text are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from thresher.classify.hierarchical import EVIDENCE, HierarchicalClassifier
from thresher.classify.own_words import listed_words, own_terms
from thresher.documents.analyse import Reader
from thresher.types import Fetched, Link, ParsedPage

PROSE = "Wooden boats need dry paint every spring, and a boat that lies in the harbour all winter needs it twice. "


def read(body: str) -> ParsedPage:
    html = f"<html lang=en><title>Harbour</title><body>{body}".encode()
    page = Reader().read(
        Fetched(url="http://a.test/", status=200, headers=[], body=html, raw=html, mime="text/html", at=0.0)
    )
    assert isinstance(page, ParsedPage)
    return page


@pytest.mark.parametrize(
    "links",
    [
        "<ul><li><a href=/x>Astronomy</a><li><a href=/y>Telescope</a></ul>",
        "<ul><li><a href=/x>Astronomy</a> for all<li><a href=/y>Telescope</a> is new</ul>",
        "<div><a href=/x>Astronomy</a> | <a href=/y>Telescope</a></div>",
        "<table><tr><td>1<td><a href=/x>Astronomy</a><td><a href=/y><b>Telescope</b></a></table>",
        "<p><b><a href=/x>Astronomy</a></b> <i><a href=/y>Telescope</a></i></p>",
    ],
)
def test_words_of_lists_are_not_its_own(links: str) -> None:
    page = read(f"<p>{PROSE}</p>{links}")
    assert {"astronomi", "telescop"} <= set(page.terms)
    own = own_terms(page)
    assert not {"astronomi", "telescop"} & set(own)
    assert own["boat"] == 2
    assert own["harbour"] == page.terms["harbour"] == 2


def test_words_of_links_in_running_text_are() -> None:
    page = read(f"<p>{PROSE} Ask the <a href=/x>astronomy</a> club for a <i><a href=/y>telescope</a></i>.</p>")
    assert own_terms(page) == page.terms


def test_a_word_that_is_said_besides_stays() -> None:
    page = read(f"<p>{PROSE}</p><ul><li><a href=/x>Boats</a><li><a href=/y>Boats</a></ul>")
    assert page.terms["boat"] == 4
    assert own_terms(page)["boat"] == 2


def test_a_page_without_lists_keeps_its_terms() -> None:
    page = read(f"<p>{PROSE}</p>")
    assert own_terms(page) is page.terms


@pytest.fixture(scope="module")
def classifier() -> HierarchicalClassifier:
    boats = [(read(f"<p>{PROSE} Sail, mast, keel, rudder, anchor {word}.</p>"), "Boats") for word in ("oar", "rope")]
    stars = [(read(f"<p>Astronomy: telescope, galaxy, comet, orbit and planet {word}.</p>"), "Stars") for word in "ab"]
    return HierarchicalClassifier().fit([*boats, *stars])


LINKS = (
    "<ul>"
    + "".join(f"<li><a href=/{word}>{word}</a>" for word in ["boat", "sail", "mast", "keel", "rudder", "anchor"])
    + "</ul>"
)
OTHER = "<p>Welcome to our little place on the web, where you find all that we have written in these years.</p>"


def test_a_front_page_is_not_about_what_its_links_are_about(classifier: HierarchicalClassifier) -> None:
    front = read(OTHER + LINKS)
    judged, by_all = classifier.classify(front), classifier.classify(replace(front, links=[]))
    assert judged.topic is None
    assert by_all.topic == "Boats"
    assert judged.confidence < by_all.confidence
    assert not {word for word, _ in judged.evidence} & {"sail", "mast", "keel"}


def test_a_page_that_says_it_itself_too_is(classifier: HierarchicalClassifier) -> None:
    page = read(f"<p>{PROSE} Sail, mast, keel, rudder and anchor are next.</p>{LINKS}")
    judged = classifier.classify(page)
    assert judged.topic == "Boats"
    # A page that is surer by its own words than by all is judged by all.
    assert judged.confidence <= classifier.classify(replace(page, links=[])).confidence


def test_what_the_words_add_up_to_is_the_confidence(classifier: HierarchicalClassifier) -> None:
    for page in (read(OTHER + LINKS), read(f"<p>{PROSE}</p>{LINKS}")):
        judged = classifier.classify(page)
        assert judged.border is not None
        if len(judged.evidence) < EVIDENCE:
            assert sum(weight for _, weight in judged.evidence) - judged.border == pytest.approx(
                judged.confidence, abs=1e-3
            )


def test_a_front_page_that_a_person_shows_still_teaches() -> None:
    fronts = [(read(f"<p>Welcome {n}</p>{LINKS}"), "Boats") for n in range(2)]
    stars = [(read(f"<p>Astronomy: telescope, galaxy, comet, orbit and planet {word}.</p>"), "Stars") for word in "ab"]
    taught = HierarchicalClassifier().fit([*fronts, *stars])
    assert taught.classify(read(f"<p>{PROSE} Sail, mast, keel, rudder, anchor.</p>")).topic == "Boats"


@settings(max_examples=50, deadline=None)
@given(
    number=st.integers(0, 30),
    places=st.lists(st.tuples(*[st.integers(0, 40)] * 4), max_size=8),
)
def test_any_places_of_links_are_borne(number: int, places: list[tuple[int, int, int, int]]) -> None:
    words = [f"w{place}" for place in range(number)]
    links = [Link("http://a.test/", "", at, long, ((min(a, b), max(a, b)),)) for at, long, a, b in places]
    found = listed_words(words, links)
    assert len(set(found)) == len(found)
    assert set(found) <= set(words)

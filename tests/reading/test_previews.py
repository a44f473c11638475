"""Previews tell of the topic a page is judged to be of; every reader and every way into the portal makes them."""

import pytest

from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.sibling_space import SpaceParameters
from thresher.documents.analyse import Reader
from thresher.reading.analysis import Analysis, PageAnalyser, preview_of
from thresher.strategies.unfocused import BreadthFirst
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import Fetched, Judgement, ParsedPage

TEXT = "We write of many things here. Boats sail by wind and mast. Tea leaves steep in a kettle. That is all we say."


def page(text: str) -> ParsedPage:
    told = words(text)
    return ParsedPage(
        url="http://a.test/", title="", words=told, links=[], text=text, terms=count_stems(told, "en"), language="en"
    )


@pytest.fixture(scope="module")
def classifier() -> HierarchicalClassifier:
    boats = [(page(f"boat sail mast wind {extra}"), "Boats") for extra in ("sea", "rope", "keel")]
    tea = [(page(f"tea leaf kettle cup {extra}"), "Tea") for extra in ("milk", "pot", "steep")]
    return HierarchicalClassifier().fit(boats + tea)


def judged(topic: str | None) -> Judgement:
    return Judgement(topic=topic, confidence=1.0, probability=1.0)


def test_a_preview_tells_of_the_topic(classifier: HierarchicalClassifier) -> None:
    assert preview_of(page(TEXT), judged("Boats"), classifier, 1) == "Boats sail by wind and mast."
    assert preview_of(page(TEXT), judged("Tea"), classifier, 1) == "Tea leaves steep in a kettle."


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["mi", "ig", "chi2", "cmi"])
def test_words_against_a_topic_tell_nothing_of_it(measure: str) -> None:
    boats = [(page(f"boat sail mast wind {extra}"), "Boats") for extra in ("sea", "rope", "keel")]
    tea = [(page(f"tea leaf kettle cup {extra}"), "Tea") for extra in ("milk", "pot", "steep")]
    classifier = HierarchicalClassifier(SpaceParameters(measure=measure)).fit(boats + tea)  # type: ignore[arg-type]
    assert {"boat", "sail"} <= classifier.telling("Boats").keys()
    assert not {"tea", "leaf", "kettl", "cup"} & classifier.telling("Boats").keys()


@pytest.mark.parametrize("topic", [None, "Unknown"])
def test_without_a_topic_a_page_is_told_from_its_beginning(
    classifier: HierarchicalClassifier, topic: str | None
) -> None:
    assert preview_of(page(TEXT), judged(topic), classifier, 1) == "We write of many things here."
    assert preview_of(page(TEXT), None, None, 1) == "We write of many things here."


def test_none_are_made_where_none_are_wanted(classifier: HierarchicalClassifier) -> None:
    assert preview_of(page(TEXT), judged("Boats"), classifier, 0) == ""
    assert preview_of(page(""), judged("Boats"), classifier, 3) == ""


def test_analysis_keeps_the_text_as_written_and_makes_the_preview(classifier: HierarchicalClassifier) -> None:
    body = (
        b"<html lang=en><ul><li>Home<li>Boats</ul><p>Boats, we say, <i>sail</i> by wind!</p><p>It rains here today.</p>"
    )
    fetched = Fetched(url="http://a.test/", status=200, headers=[], body=body, raw=body, mime="text/html", at=0.0)
    found = PageAnalyser(Reader(), BreadthFirst(), classifier, preview=1).run(fetched)
    assert isinstance(found, Analysis)
    assert found.text == "Home\nBoats\nBoats, we say, sail by wind!\nIt rains here today."
    assert found.preview == "Boats, we say, sail by wind!"

"""Stems as people wrote them, training pages as data, and the packaged background."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from thresher.classify.background import background, is_background
from thresher.classify.examples_file import TrainingSet, pack_training_set, unpack_training_set
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.written_words import written_forms
from thresher.errors import InputError
from thresher.learn.model_file import pack
from thresher.text.general_language import frequencies
from thresher.text.stems import ALGORITHMS, count_stems
from thresher.types import ParsedPage


def page(text: str, language: str = "en") -> ParsedPage:
    found = text.split()
    return ParsedPage(url=text, title="", words=found, links=[], terms=count_stems(found, language), language=language)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Sailing sailing sails", "sailing"),
        ("Sails sails sails sailing", "sails"),
        ("SAIL Sail", None),
        ("Sails Sails sails", "sails"),
        ("Sails Sails Sails Sails sails", "Sails"),
        ("SAILS SAILS", "SAILS"),
        ("SAILING SAILING", "sailing"),
        ("sail sail", None),
        ("sail-maker", None),
    ],
)
def test_the_most_frequent_form_is_shown(text: str, form: str | None) -> None:
    assert written_forms([page(text)], {"sail"}).get("sail") == form


def test_forms_of_all_pages_and_languages_are_counted() -> None:
    pages = [page("Häuser Häuser Haus", "de"), page("boats", "en"), page("boating", "en"), page("boating")]
    assert written_forms(pages, {"haus", "boat", "absent"}) == {"haus": "Häuser", "boat": "boating"}


@given(st.lists(st.sampled_from(["Boats", "boats", "boat", "Boating", "sail", "Sails", "the"]), max_size=20))
def test_a_form_is_a_word_that_was_written_and_has_that_stem(words: list[str]) -> None:
    for stem, form in written_forms([page(" ".join(words))], {"boat", "sail"}).items():
        assert form in {case for word in words for case in (word, word.lower())}
        assert count_stems([form], "en") == {stem: 1}
        lower = Counter(word.lower() for word in words if count_stems([word], "en") == {stem: 1})
        assert lower[form.lower()] == max(lower.values())


def test_evidence_is_shown_as_written_and_survives_the_file() -> None:
    boats = [(page(f"boats sailing winds sea{n}"), "Boats") for n in range(6)]
    cars = [(page(f"cars driving roads fuel{n}"), None) for n in range(6)]
    fitted = HierarchicalClassifier().fit(boats + cars)
    read = HierarchicalClassifier.from_bytes(fitted.to_bytes())
    judged = read.classify(page("boat sail wind"))
    assert {"boats", "sailing", "winds"} <= {word for word, _ in judged.evidence}
    child = read.child("Boats")
    assert child is not None
    assert child.features >= 3
    assert {(feature.stem, feature.pages) for feature in child.telling} >= {("boat", 6), ("sail", 6)}
    assert read.child("Cars") is None
    assert read.child("Boats/Sails") is None


def test_a_classifier_fitted_again_to_stored_pages_still_shows_words_as_written() -> None:
    boats = [(page(f"boats sailing winds sea{n}"), "Boats") for n in range(6)]
    cars = [(page(f"cars driving roads fuel{n}"), None) for n in range(6)]
    stored = [(replace(page, words=[], title=""), label) for page, label in boats + cars]
    fitted = HierarchicalClassifier().fit(boats + cars)
    again = fitted.unfitted().fit(stored)
    assert again.written_ == fitted.written_ != {}
    assert HierarchicalClassifier().fit(stored).written_ == {}


def test_numbers_do_not_tell_people_what_a_topic_is_about() -> None:
    boats = [(page(f"2022 06 boats sailing x86 sea{n}"), "Boats") for n in range(4)]
    cars = [(page(f"cars driving roads fuel{n}"), None) for n in range(4)]
    child = HierarchicalClassifier().fit(boats + cars).child("Boats")
    assert child is not None
    told = [feature.stem for feature in child.telling]
    assert {"boat", "sail", "x86"} <= set(told)
    assert not {"2022", "06"} & set(told)


def test_training_pages_as_data() -> None:
    with pytest.raises(InputError, match="does not contain training pages"):
        unpack_training_set(pack({"kind": "flat"}, {}))
    with pytest.raises(InputError):
        unpack_training_set(pack_training_set(TrainingSet([(page("boat"), "Boats")]))[:-9])


def test_the_background_is_in_the_languages_of_the_pages() -> None:
    pages = [page("boat", "de"), page("sail", "de"), page("mast", "fr"), page("oar", "eo"), page("hull", "")]
    texts = background(pages)
    assert Counter(text.language for text in texts) == {"de": len(texts) // 2, "fr": len(texts) // 2}
    assert len({text.url for text in texts}) == len(texts)
    assert all(map(is_background, texts))
    assert background(pages) == texts
    assert {text.language for text in background(pages[-2:])} == {"en"}


def test_the_background_says_how_common_words_are_and_is_about_nothing() -> None:
    texts = background([page("boat", "en")])
    common = Counter(stem for text in texts for stem in text.terms)
    assert common["time"] > 5 * common["galaxi"]
    assert not any("the" in text.terms for text in texts)


@pytest.mark.slow
def test_lists_of_frequencies_are_whole() -> None:
    listed = {code: found for code in sorted(ALGORITHMS) if (found := frequencies(code))}
    assert len(listed) == 25
    for found in listed.values():
        assert len(found) > 3000
        assert all(0 < share < 0.05 for share in found.values())
        assert sum(found.values()) < 1

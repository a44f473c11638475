"""The language gate: signs, sums, languages without lists, and that adding words of a language helps it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.text.sentences import SENTENCES
from thresher.text.gate import LanguageGate
from thresher.text.language import UNKNOWN, Identified, identify
from thresher.text.stop_words import stop_words
from thresher.text.words import words

WESTERN = ("da", "de", "en", "es", "fi", "fr", "it", "nl", "pl", "pt", "ru", "sv")


def passes(gate: LanguageGate, text: str) -> bool:
    return gate.passes(words(text), identify(words(text)))


@pytest.mark.parametrize("wanted", ["de", "en", "es", "fr", "it", "nl", "pt", "ru", "sv", "cs", "no"])
def test_sentences_of_the_wanted_language_pass_and_no_others(wanted: str) -> None:
    gate = LanguageGate([wanted])
    passed = {code for code, pair in SENTENCES.items() for sentence in pair if passes(gate, sentence)}
    assert passed == {wanted}
    assert all(passes(gate, sentence) for sentence in SENTENCES[wanted])


@pytest.mark.parametrize("wanted", ["ja", "th", "zh", "yi"])
def test_languages_without_a_usable_list_pass_by_the_identifier(wanted: str) -> None:
    gate = LanguageGate([wanted])
    assert {code for code, pair in SENTENCES.items() if passes(gate, pair[0])} == {wanted}


def test_several_languages_can_be_wanted() -> None:
    gate = LanguageGate(["en", "de-AT"])
    assert {code for code in WESTERN if passes(gate, SENTENCES[code][0])} == {"en", "de"}


def test_a_page_too_short_to_say_anything_is_turned_away() -> None:
    gate = LanguageGate(["en"], d_stop=3)
    assert not gate.passes(["the", "of"], UNKNOWN)
    assert gate.passes(["the", "of", "and"], UNKNOWN)


def test_the_sum_counts_words_of_other_languages_against_a_page() -> None:
    gate = LanguageGate(["en"])
    assert gate.weigh(["The", "THE", "und", "boat"]) == 1


def test_shared_and_common_words_are_never_held_against_the_wanted_language() -> None:
    gate = LanguageGate(["en"])
    assert [gate.weigh([word]) for word in ("in", "so", "state", "well", "x", "5")] == [1, 1, 0, 0, 0, 0]


def test_where_the_identifier_is_sure_of_another_language_words_do_not_help() -> None:
    english = ["the", "of", "and"] * 10
    assert not LanguageGate(["en"]).passes(english, Identified("da", 0.9))
    assert LanguageGate(["en"]).passes(english, Identified("da", 0.2))


@given(st.lists(st.sampled_from(["the", "of", "und", "der", "boat", "in", "est", "Haus"])))
def test_the_sum_is_that_of_the_parts_in_any_order(some: list[str]) -> None:
    gate = LanguageGate(["en"])
    assert gate.weigh(some) == sum(gate.weigh([word]) for word in some) == gate.weigh(sorted(some))
    assert gate.weigh([*some, "the"]) == gate.weigh(some) + 1


@given(st.sampled_from(WESTERN), st.data())
def test_every_stop_word_of_a_wanted_language_counts_for_it(code: str, data: st.DataObject) -> None:
    word = data.draw(st.sampled_from(sorted(stop_words(code))))
    assert LanguageGate([code]).weigh([word.upper() if word.upper().lower() == word else word]) == 1

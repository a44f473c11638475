"""Telling languages: real sentences, claims, samples, and input of any kind."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.text.sentences import SENTENCES
from thresher.text.language import SAMPLE, SURE, UNKNOWN, Identified, identify, primary
from thresher.text.stems import ALGORITHMS
from thresher.text.words import words


@pytest.mark.parametrize("code", sorted(SENTENCES))
def test_a_sentence_is_told_by_its_words(code: str) -> None:
    assert [identify(words(sentence)).code for sentence in SENTENCES[code]] == [code, code]


def test_every_language_with_a_stemmer_has_sentences() -> None:
    assert set(ALGORITHMS) <= set(SENTENCES)


@pytest.mark.parametrize("claim", ["en", "de-AT", "", "nonsense"])
def test_a_claim_does_not_outvote_the_words(claim: str) -> None:
    assert identify(words(SENTENCES["fr"][0]), claim).code == "fr"


def test_a_claim_decides_where_words_say_nothing() -> None:
    assert identify(["OK", "17"], "nb-NO") == Identified("no", 0.0)
    assert identify([], "de") == Identified("de", 0.0)
    assert identify([]) == UNKNOWN


def test_a_page_with_a_menu_in_another_language_is_in_that_of_its_text() -> None:
    menu = words("Home News About us Contact Sign in Search Your account Follow us on our channels") * 3
    assert identify(menu + words(SENTENCES["de"][0] + SENTENCES["de"][1]) * 10).code == "de"


def test_only_a_sample_is_looked_at() -> None:
    class Counted(list[str]):
        looked = 0

        def __getitem__(self, key):  # type: ignore[no-untyped-def]
            found = super().__getitem__(key)
            self.looked += len(found) if isinstance(key, slice) else 1
            return found

    many = Counted(words(SENTENCES["en"][0]) * 1000)
    assert identify(many).code == "en"
    assert 0 < many.looked <= SAMPLE


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("en", "en"),
        ("EN_us", "en"),
        ("iw", "he"),
        ("nn", "no"),
        ("zh-Hant", "zh"),
        ("x", ""),
        ("é1", ""),
        ("und", "und"),
    ],
)
def test_codes(code: str, expected: str) -> None:
    assert primary(code) == expected


@pytest.mark.parametrize("odd", ["\x00", "\ufdd0", "\ud800", "\U0010ffff", "a\u0301" * 500], ids=ascii)
def test_characters_that_are_not_for_interchange_do_no_harm(odd: str) -> None:
    assert identify([odd] * 3, "de").code == "de"


@given(st.lists(st.text(max_size=30), max_size=40), st.text(max_size=8))
def test_any_words_give_a_code_and_a_confidence(some: list[str], claim: str) -> None:
    code, confidence = identify(some, claim)
    assert code == primary(code)
    assert 0.0 <= confidence <= 1.0
    if confidence >= SURE:
        assert code == identify(some).code

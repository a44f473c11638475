"""The words of a query."""

from hypothesis import given
from hypothesis import strategies as st

from thresher.text.query_words import MOST, QueryWords


def test_words_are_as_written_each_once_and_without_stop_words() -> None:
    query = QueryWords("What are the Boats of a boat, and the sails?", "en")
    assert query.words == ("Boats", "sails")
    assert query.stems("en") == {"boat": 0, "sail": 1}


def test_a_short_query_is_stemmed_though_its_language_cannot_be_told() -> None:
    assert QueryWords("boats").stems("") == {"boat": 0}
    assert QueryWords("boats").stems("xx") == {"boats": 0}


def test_compounds_have_several_stems() -> None:
    assert QueryWords("hand-painted boats", "en").stems("en") == {"hand": 0, "paint": 0, "boat": 1}


def test_words_that_everybody_uses_are_less_rare() -> None:
    common, rare = QueryWords("time sortedarray", "en").general
    assert common > 10 * rare > 0


@given(st.text(max_size=400))
def test_any_text_is_a_query(text: str) -> None:
    query = QueryWords(text)
    assert len(query.words) == len(query.general) <= MOST
    assert set(query.stems(query.language).values()) == set(range(len(query.words)))

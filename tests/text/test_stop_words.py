"""Stop words: strict lists say nothing of topics, wide ones are there beside them."""

import pytest

from thresher.text.stop_words import stop_words, wide_stop_words

STRICT = ("de", "en", "es", "fr", "it", "nl", "pt", "ru", "sv")


@pytest.mark.parametrize(
    ("code", "topics"),
    [
        ("en", "computer research system university work page world home group problem test"),
        ("de", "mensch jahr zeit recht welt teil tag groß"),
        ("fr", "maison travail monde pays heure"),
        ("es", "trabajo mundo estado tiempo"),
    ],
)
def test_words_of_topics_are_no_stop_words(code: str, topics: str) -> None:
    assert not stop_words(code).intersection(topics.split())


@pytest.mark.parametrize("code", STRICT)
def test_strict_lists_are_short_lower_case_and_of_single_words(code: str) -> None:
    found = stop_words(code)
    assert 150 < len(found) < 400
    assert all(word == word.lower() and word.split() == [word] for word in found)


@pytest.mark.parametrize("code", ["cs", "fi", "pl", "tr", "ar"])
def test_other_languages_have_the_lists_of_the_collection(code: str) -> None:
    assert stop_words(code) == wide_stop_words(code) != frozenset()


def test_tongues_and_regions_share_a_list() -> None:
    assert stop_words("nb") == stop_words("nn-NO") == stop_words("no") != frozenset()

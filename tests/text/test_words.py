"""Words of a text: what belongs to a word, what parts two, and scripts without spaces."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.text.words import _JOINERS, _UNSPACED, _is_spaced, _ranges, words

SPACED = _ranges([point for point in range(0x30000) if _is_spaced(chr(point))])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\n—…!?", []),
        ("one two", ["one", "two"]),
        ("snake_case", ["snake", "case"]),
        ("don't 'quoted' rock’n’roll dogs'", ["don't", "quoted", "rock’n’roll", "dogs"]),
        ("state-of-the-art -dash- a--b", ["state-of-the-art", "dash", "a", "b"]),
        ("v2 3.14 C++", ["v2", "3", "14", "C"]),
        ("Größe naïve ΑΒΓ", ["Größe", "naïve", "ΑΒΓ"]),
        ("cafe\u0301", ["cafe\u0301"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("שָׁלוֹם", ["שָׁלוֹם"]),
        ("Donau\xaddampf\xad schiff\xad", ["Donaudampf", "schiff"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),
        ("zero\u200bwidth", ["zero", "width"]),
        ("한국어 위키", ["한국어", "위키"]),
        ("東京", ["東京"]),
        ("東京都", ["東京", "京都"]),
        ("本", ["本"]),
        ("Pythonの本、3冊", ["Python", "の本", "3", "冊"]),
        ("ภาษา", ["ภา", "าษ", "ษา"]),
        ("smile 😀 on", ["smile", "on"]),
        ("𐐀𐐁 x", ["𐐀𐐁", "x"]),
    ],
)
def test_words_are_runs_of_letters_digits_and_marks(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_every_word_stands_in_the_text_and_has_no_space(text: str) -> None:
    for word in words(text):
        assert word
        assert word in text.replace("\xad", "")
        assert not any(char.isspace() for char in word)


@given(st.text(), st.text())
def test_a_space_parts_words(left: str, right: str) -> None:
    assert words(f"{left} {right}") == words(left) + words(right)


def by_definition(text: str) -> list[str]:
    """Find words as they are defined, character by character."""
    found = []
    for run in re.findall(
        f"[{SPACED}]+(?:[{re.escape(_JOINERS)}][{SPACED}]+)*|[{_UNSPACED}]+", text.replace("\xad", "")
    ):
        pairs = [run[i : i + 2] for i in range(len(run) - 1)] or [run]
        found += pairs if re.match(f"[{_UNSPACED}]", run) else [run]
    return found


letters = st.sampled_from("ab1é'-’\u200d_ .\n\x01\x1c\0\xa0\xad“東京ก\ud800😀𐐀")


@given(st.text(letters, max_size=30) | st.text(max_size=100))
@settings(max_examples=500)
def test_words_are_those_of_the_definition(text: str) -> None:
    assert words(text) == by_definition(text)


def test_a_text_of_very_many_kinds_of_characters() -> None:
    text = "".join(f"a{chr(point)}b-c" for point in range(0x2000, 0x2C00)) * 2
    assert words(text) == by_definition(text)

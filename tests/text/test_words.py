"""Words of a text: what belongs to a word, what parts two, and scripts without spaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.text.words import words


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


latin = bytes(range(256)).decode("cp1252", "ignore")


@given(st.text(st.sampled_from("ab1é'-’_ .\n\x1c\0\xa0\xad“"), max_size=30) | st.text(st.sampled_from(latin)))
def test_long_latin_text_has_the_same_words_as_short(text: str) -> None:
    assert words(text + " " * 50) == words(text + " Ω")[:-1]

"""Words of a text in pieces: the same words as of each piece alone, counted at every border."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from thresher.text.pieces import words_of_pieces
from thresher.text.words import words

pieces = st.lists(
    st.text(st.sampled_from("ab1é'-’ .\n\x01\x1c\xad東京ก—"), max_size=8) | st.text(max_size=8), max_size=12
)


@given(pieces)
def test_each_piece_has_the_words_it_has_alone(some: list[str]) -> None:
    found, before = words_of_pieces(some)
    assert len(before) == len(some) + 1
    assert [found[start:end] for start, end in pairwise(before)] == [words(one) for one in some]
    assert before[0] == 0
    assert before[-1] == len(found)


@given(pieces, st.sets(st.integers(1, 11)))
def test_joined_pieces_lose_no_letter_and_no_place(some: list[str], joined: set[int]) -> None:
    found, before = words_of_pieces(some, sorted(number for number in joined if number < len(some)))
    assert "".join(found) == "".join(words_of_pieces(some)[0])
    assert before == sorted(before)
    assert before[-1] == len(found)


def test_a_word_may_have_many_pieces() -> None:
    assert words_of_pieces(["re", "st", "art now", "x"], [1, 2]) == (["restart", "now", "x"], [0, 1, 1, 2, 3])
    assert words_of_pieces(["a"] * 5, [1, 3, 4]) == (["aa", "aaa"], [0, 1, 1, 2, 2, 2])
    assert words_of_pieces(["a"] * 200_000, range(1, 200_000))[0] == ["a" * 200_000]
    assert words_of_pieces([]) == ([], [0])
    assert words_of_pieces(["—", "a", "!"], [1, 2]) == (["a"], [0, 0, 1, 1])

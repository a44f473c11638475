"""Packed tables of a strategy's state: exact, and refused whole where they are damaged."""

import base64
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.strategies import packing
from thresher.strategies.packing import packed, unpacked

numbers = st.one_of(st.floats(allow_nan=False), st.integers(0, 2**53).map(float))


@given(st.lists(st.tuples(numbers, numbers), max_size=50))
def test_all_numbers_come_back_to_the_last_bit(rows: list[tuple[float, float]]) -> None:
    text = packed([row[0] for row in rows], [row[1] for row in rows])
    assert list(zip(*(column.tolist() for column in unpacked(text, 2)), strict=True)) == rows


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no table",
        packed([1.0, 2.0])[:-5],
        base64.b85encode(zlib.compress(b"seven b")).decode(),
        packed([1.0, 2.0, 3.0]),
    ],
    ids=["empty", "words", "cut off", "no numbers", "another width"],
)
def test_what_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpacked(text, 2)


def test_a_table_beyond_the_bound_is_refused_and_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    text = packed([1.0] * 8, [2.0] * 8)
    monkeypatch.setattr(packing, "_LARGEST", 64)
    with pytest.raises(ValueError, match="too large"):
        unpacked(text, 2)


def test_tables_of_earlier_versions_can_still_be_read() -> None:
    before = base64.b85encode(zlib.compress(np.array([[1.0, 2.0], [0.1, 0.2]], "<f8").tobytes(), 6)).decode()
    assert [column.tolist() for column in unpacked(before, 2)] == [[1.0, 2.0], [0.1, 0.2]]

"""Memos: what a page hands down, written and read in a strategy's own type."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.errors import PluginError
from thresher.strategies.memos import Memos
from thresher.types import Candidate


class Way(msgspec.Struct, frozen=True, rename={"worth": "w"}):
    worth: float
    name: str = ""
    steps: tuple[int, ...] = ()


MEMOS = Memos(Way)


def handed(memo: str) -> Candidate:
    return Candidate(url="http://a.test/", priority=(), memo=memo)


ways = st.builds(
    Way,
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.lists(st.integers(-(2**63), 2**63 - 1)).map(tuple),
)


@given(ways)
@settings(deadline=None)
def test_memos_come_back_as_they_were(way: Way) -> None:
    assert MEMOS.of(handed(MEMOS.write(way))) == way


def test_names_of_fields_may_be_short() -> None:
    assert MEMOS.write(Way(0.5)) == '{"w":0.5,"name":"","steps":[]}'


def test_nothing_handed_down_is_none() -> None:
    assert MEMOS.of(handed("")) is None
    assert MEMOS.fits(handed(""))


@pytest.mark.parametrize("memo", ["{}", '{"w":"much"}', "[1]", "{", "w", '{"topic":"A","worth":1.0}'])
def test_memos_of_another_kind_are_refused_in_a_sentence(memo: str) -> None:
    assert not MEMOS.fits(handed(memo))
    with pytest.raises(PluginError, match=r"The memo stored for http://a\.test/ is not a Way") as caught:
        MEMOS.of(handed(memo))
    assert "--fresh" in caught.value.remedy

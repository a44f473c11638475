"""Simhash: the same for the same stems, near for near texts, far for others."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from thresher.text.simhash import BITS, distance, simhash

terms = st.dictionaries(st.text(min_size=1, max_size=12), st.integers(1, 50), max_size=40)


def text(seed: int, size: int = 200) -> dict[str, int]:
    chance = Random(seed)
    return {f"stem{chance.randrange(100_000)}": chance.randint(1, 4) for _ in range(size)}


@given(terms, st.randoms())
def test_the_order_of_the_stems_does_not_matter(some: dict[str, int], chance: Random) -> None:
    items = list(some.items())
    chance.shuffle(items)
    assert simhash(dict(items)) == simhash(some)


@given(terms, st.integers(2, 9))
def test_a_text_said_twice_is_the_same_text(some: dict[str, int], times: int) -> None:
    assert simhash({stem: count * times for stem, count in some.items()}) == simhash(some)


@given(terms)
def test_only_texts_without_stems_have_none(some: dict[str, int]) -> None:
    assert 0 <= simhash(some) < 1 << BITS
    assert (simhash(some) == 0) == (not some)


@given(st.text(min_size=1), st.integers(1, 1000))
def test_a_stem_alone_decides_every_bit(stem: str, count: int) -> None:
    assert simhash({stem: count}) == simhash({stem: 1})


@given(st.integers(0, (1 << BITS) - 1), st.integers(0, (1 << BITS) - 1), st.integers(0, (1 << BITS) - 1))
def test_the_distance_is_one(one: int, other: int, third: int) -> None:
    assert distance(one, one) == 0
    assert distance(one, other) == distance(other, one) <= BITS
    assert distance(one, third) <= distance(one, other) + distance(other, third)


def test_near_texts_are_near_and_others_far() -> None:
    for seed in range(30):
        some = text(seed)
        changed = {**some, "new": 1, "other": 1}
        assert distance(simhash(some), simhash(changed)) <= 8
        assert distance(simhash(some), simhash(text(seed + 1000))) >= 14


def test_known_value_stays_the_same_across_versions() -> None:
    # Stored simhashes are compared with those of later versions.
    assert simhash({"boat": 1, "sail": 1, "wind": 1}) == 16139992955898256390

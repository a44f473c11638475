"""Neighbour lists: who knows whom, under churn and with liars."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.bench.peers.overlay_simulation import simulate
from thresher.peers.overlay import SKEW, Neighbour, Neighbours, list_size

ENTRY = st.builds(Neighbour, st.sampled_from("abcdef"), st.sampled_from(["x", "y"]), st.floats(0, 2000))
ENTRIES = st.lists(ENTRY, max_size=12)
KNOWN = st.lists(ENTRY, max_size=5, unique_by=lambda one: one.key)


def entry(key: str, at: float, address: str = "") -> Neighbour:
    return Neighbour(key, address or f"http://{key}.test/", at)


@settings(deadline=None, max_examples=40)
@given(KNOWN, ENTRIES, st.floats(0, 2000), st.integers(0, 9))
def test_lists_are_bounded_fresh_and_without_oneself(
    known: list[Neighbour], received: list[Neighbour], now: float, seed: int
) -> None:
    mine = Neighbours("a", size=3, life=500.0, known=known)
    mine.merge(received, now, Random(seed))
    kept = mine.entries()
    assert len(kept) <= 3
    assert all(one.key != "a" and now - one.at <= 500.0 for one in kept)
    for one in kept:
        times = [other.at for other in [*known, *received] if other.key == one.key and other.at <= now + SKEW]
        assert one in known or one.at == max(times)


def test_newest_time_wins_and_the_future_is_not_believed() -> None:
    mine = Neighbours("a", known=[entry("b", 100.0)])
    mine.merge([entry("b", 90.0, "old"), entry("c", 200.0 + 2 * SKEW)], 200.0, Random(0))
    assert mine.entries() == [entry("b", 100.0)]
    mine.merge([entry("b", 150.0, "new")], 200.0, Random(0))
    assert mine.entries() == [entry("b", 150.0, "new")]


def test_pick_is_among_those_asked_for() -> None:
    mine = Neighbours("a", known=[entry("b", 1.0), entry("c", 1.0)])
    assert {mine.pick(Random(seed), ["c", "z"]) for seed in range(9)} == {entry("c", 1.0)}
    assert mine.pick(Random(0), []) is None
    assert {one.key for seed in range(20) if (one := mine.pick(Random(seed)))} == {"b", "c"}


def test_a_flood_of_entries_leaves_a_bounded_list() -> None:
    mine = Neighbours("a", size=5, known=[entry("b", 1.0)])
    mine.merge((entry(f"k{number}", 2.0) for number in range(10_000)), 2.0, Random(0))
    assert len(mine.entries()) == 5


def test_a_list_needs_room() -> None:
    with pytest.raises(ValueError, match="room"):
        Neighbours("a", size=0)


def test_peers_join_by_one_address_and_who_leaves_is_forgotten() -> None:
    found = simulate(peers=60, rounds=30, churn=0.3, seed=1, size=list_size(60))
    assert found.connected
    assert found.largest_list <= list_size(60)
    assert found.known_dead == 0.0

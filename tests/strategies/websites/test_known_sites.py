"""Which sites a crawl has entered."""

from hypothesis import given
from hypothesis import strategies as st

from thresher.bench.sites.cost import size_of
from thresher.strategies.websites.examined_sites import site_number
from thresher.strategies.websites.known_sites import KnownSites

NUMBERS = st.integers(0, 2**63 - 1)


@given(st.lists(NUMBERS, max_size=40), st.lists(NUMBERS, max_size=10))
def test_it_is_a_set(added: list[int], asked: list[int]) -> None:
    known, plain = KnownSites(), set(range(0, 2200, 2))
    for number in [*plain, *added, *added]:
        known.add(number)
    plain.update(added)
    assert len(known) == len(plain)
    assert all(number in known for number in plain)
    assert [number in known for number in asked] == [number in plain for number in asked]


def test_a_site_takes_eight_bytes() -> None:
    known, sizes = KnownSites(), []
    for number in range(100_000):
        known.add(site_number(f"s{number}.test"))
        if number + 1 in (50_000, 100_000):
            sizes.append(size_of(known._sorted))
    assert sizes[1] - sizes[0] < 9 * 50_000
    assert len(known._recent) <= 100_000 // 64

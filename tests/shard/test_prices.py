"""Prices: classes keep the order, and count what was fetched at each price."""

import math

from hypothesis import given
from hypothesis import strategies as st

from thresher.shard.prices import PriceRecord, lowest_of, price_class

PRICES = st.floats(allow_nan=False) | st.floats(-20, 20) | st.integers(-9, 9).map(float)


@given(PRICES, PRICES)
def test_a_higher_price_is_in_no_lower_class(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert price_class(low) <= price_class(high)


@given(PRICES)
def test_a_class_begins_below_all_of_its_prices_and_not_far_below(price: float) -> None:
    lowest = lowest_of(price_class(price))
    assert lowest <= price
    if 1e-300 < abs(price) < 1e300:
        assert price - lowest <= abs(price) / 8


def test_what_is_no_number_is_counted() -> None:
    prices = PriceRecord()
    for price in (math.nan, math.inf, -math.inf):
        prices.fetched(price, pages=1, accepted=0)
    assert sum(found.fetched for found in prices.classes()) == 3


@given(st.lists(st.tuples(PRICES, st.booleans())))
def test_classes_count_every_page_and_come_best_first(found: list[tuple[float, bool]]) -> None:
    prices = PriceRecord()
    for price, accepted in found:
        prices.fetched(price, pages=1, accepted=int(accepted))
    classes = prices.classes()
    assert sum(kind.fetched for kind in classes) == len(found)
    assert sum(kind.accepted for kind in classes) == sum(accepted for _, accepted in found)
    assert [kind.lowest for kind in classes] == sorted({kind.lowest for kind in classes}, reverse=True)

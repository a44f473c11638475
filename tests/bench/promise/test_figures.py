"""The figures of the promise, on crawls small enough to count by hand."""

import pytest

from thresher.bench.promise.figures import TopicFigures, by_topic, macro, reached, share_of_oracle, wrong_share
from thresher.bench.promise.truth import Truth

A1, A2, A3, A4 = (f"http://a.test/{n}" for n in range(1, 5))
B1, B2 = "http://b.test/1", "http://b.test/2"
C1, C2 = "http://c.test/1", "http://c.test/2"
TRUTH = Truth(
    topics=("boats", "cars"),
    examples=frozenset([A1, C1]),
    of={**dict.fromkeys([A1, A2, A3, B1], ("boats",)), **dict.fromkeys([C1, C2], ("cars",)), B2: ()},
    reachable={"boats": frozenset([A1, A2, A3, B1]), "cars": frozenset([C1, C2])},
    oracle=[A1, C1, A2, A3, C2, B1],
)


def test_shares_are_of_the_whole_budget_and_a_page_fetched_again_is_wasted() -> None:
    found = reached([A1, A2, A2, B2, B1], {A2: "boats", B1: "boats"}, TRUTH, budget=5)
    assert found.on_topic == pytest.approx(3 / 5)
    assert found.on_topic_new_hosts == pytest.approx(1 / 5)
    # Two pages is the fair share of both topics: two of boats are right; of cars, which has one more page, none.
    assert found.right_pages == pytest.approx((2 / 2 + 0 / 1) / 2)
    # Boats has one host without a bookmark, cars none.
    assert found.hosts_found == 1.0


def test_a_crawl_that_ends_early_has_wasted_the_rest_unless_the_oracle_has_nothing_more_either() -> None:
    assert reached([A1, A2], {}, TRUTH, budget=4).on_topic == pytest.approx(2 / 4)
    assert reached([A1, A2], {}, TRUTH, budget=100).on_topic == pytest.approx(2 / 6)
    assert reached([A1, A2, *[B2] * 8], {}, TRUTH, budget=100).on_topic == pytest.approx(2 / 10)


def test_what_comes_after_the_budget_does_not_count() -> None:
    assert reached([B2, A1, A2], {}, TRUTH, budget=1).on_topic == 0.0


def test_topics_are_judged_on_fetched_pages_with_a_label_bookmarks_left_out() -> None:
    accepted = {A1: "boats", A2: "boats", C2: "boats", A4: "boats"}
    boats, cars = by_topic([A1, A2, A3, A4, C1, C2], accepted, TRUTH)
    assert boats == TopicFigures("boats", precision=1 / 2, recall_of_fetched=1 / 2, fetched=2, accepted=2)
    assert cars == TopicFigures("cars", precision=None, recall_of_fetched=0.0, fetched=1, accepted=0)
    assert macro([boats, cars]) == (0.5, 0.25, 0.25)


def test_hosts_without_a_bookmark_are_told_apart() -> None:
    boats, cars = by_topic([A2, B1, B2], {A2: "cars", B1: "boats", B2: "boats"}, TRUTH, new_hosts=True)
    assert (boats.precision, boats.recall_of_fetched) == (0.5, 1.0)
    assert (cars.fetched, cars.f) == (0, None)


def test_a_page_of_two_topics_is_right_for_either() -> None:
    both = Truth(("boats", "cars"), frozenset(), {A2: ("boats", "cars")}, {"boats": frozenset([A2])}, [A2])
    boats, cars = by_topic([A2], {A2: "cars"}, both)
    assert (cars.precision, cars.recall_of_fetched, boats.recall_of_fetched) == (1.0, 1.0, 0.0)


def test_the_oracle_has_a_share_of_one() -> None:
    assert share_of_oracle(TRUTH.oracle, TRUTH, 6) == 1.0
    assert share_of_oracle([B2, *TRUTH.oracle], TRUTH, 6) == pytest.approx(15 / 21)


def test_wrong_teachers_are_counted_among_those_with_a_label() -> None:
    assert wrong_share([(A2, None), (B2, None), (A4, None)], TRUTH) == 0.5
    assert wrong_share([(A2, "cars"), (C2, "cars")], TRUTH) == 0.5
    assert wrong_share([(A4, None)], TRUTH) is None

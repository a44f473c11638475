"""Which pages are proposed to teach a topic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.train.archetypes import Border, Graded, Rule, border_of, propose

PAGES = [
    Graded(1, confidence=2.0, authority=0.00),
    Graded(2, confidence=1.5, authority=0.30),
    Graded(3, confidence=0.8, authority=0.50),
    Graded(4, confidence=0.2, authority=0.05),
    Graded(5, confidence=-1.0, authority=0.90),
]
BORDER = Border(confidence=1.0, authority=0.1)


def rules(**options: int | bool) -> dict[int, Rule]:
    return {found.page: found.rule for found in propose("T", PAGES, BORDER, **options)}  # type: ignore[arg-type]


def test_each_rule_has_a_border_of_the_other_kind() -> None:
    assert rules() == {2: Rule.BOTH, 3: Rule.CONFIDENCE}


def test_the_best_of_each_rule_only() -> None:
    assert rules(authorities=1, confident=0) == {2: Rule.AUTHORITY}
    assert rules(authorities=0, confident=1) == {2: Rule.CONFIDENCE}
    assert rules(authorities=0, confident=0) == {}


def test_every_positive_page_may_be_admitted() -> None:
    assert rules(admit_all=True) == dict.fromkeys([1, 2, 3, 4], Rule.ADMITTED)
    assert list(rules(admit_all=True, authorities=1, confident=1)) == [1, 2]


def test_a_border_below_nothing_is_nothing() -> None:
    assert border_of(-3.0, [0.1, 0.3]) == Border(0.0, pytest.approx(0.2))
    assert border_of(0.5, []) == Border(0.5, 0.0)


shares = st.floats(0, 1, allow_nan=False)
pages = st.lists(st.builds(Graded, st.integers(0, 50), st.floats(-3, 3), shares), unique_by=lambda page: page.page)


@given(pages, st.floats(0, 2), shares, st.integers(0, 5), st.integers(0, 5))
def test_no_archetype_is_off_topic_and_none_comes_twice(
    pages: list[Graded], confidence: float, authority: float, authorities: int, confident: int
) -> None:
    border = Border(confidence, authority)
    found = propose("T", pages, border, authorities=authorities, confident=confident)
    assert len(found) <= authorities + confident
    assert len({archetype.page for archetype in found}) == len(found)
    for archetype in found:
        assert archetype.confidence > 0
        assert archetype.confidence > confidence or archetype.authority > authority
    assert [a.confidence for a in found] == sorted((a.confidence for a in found), reverse=True)

"""Which pages are proposed to teach a topic."""

from hypothesis import given
from hypothesis import strategies as st

from thresher.train.archetypes import HOSTS, Graded, ProposalRule, propose

PAGES = [
    Graded(1, confidence=2.0, authority=0.00, host=1),
    Graded(2, confidence=1.5, authority=0.30, host=2),
    Graded(3, confidence=0.8, authority=0.50, host=3),
    Graded(4, confidence=0.2, authority=0.05, host=4),
    Graded(5, confidence=-1.0, authority=0.90, host=5),
]
BORDER = 1.0


def rules(**options: int | bool) -> dict[int, ProposalRule]:
    return {found.page: found.rule for found in propose("T", PAGES, BORDER, **options)}  # type: ignore[arg-type]


def test_authorities_must_be_sure_and_sure_pages_must_be_linked() -> None:
    assert rules() == {2: ProposalRule.BOTH, 3: ProposalRule.CONFIDENCE, 4: ProposalRule.CONFIDENCE}


def test_the_best_of_each_rule_only() -> None:
    assert rules(authorities=1, confident=0) == {2: ProposalRule.AUTHORITY}
    assert rules(authorities=0, confident=1) == {2: ProposalRule.CONFIDENCE}
    assert rules(authorities=0, confident=0) == {}


def test_every_positive_page_may_be_admitted() -> None:
    assert rules(admit_all=True) == dict.fromkeys([1, 2, 3, 4], ProposalRule.ADMITTED)
    assert list(rules(admit_all=True, authorities=1, confident=1)) == [1, 2]


def test_a_border_below_nothing_is_nothing() -> None:
    assert propose("T", [Graded(1, -0.5, 0.5)], -3.0) == []


def test_what_is_not_confirmed_makes_room_for_the_next() -> None:
    found = propose("T", PAGES, BORDER, lambda page: page.page != 2, authorities=0, confident=1)
    assert [archetype.page for archetype in found] == [3]


shares = st.floats(0, 1, allow_nan=False)
pages = st.lists(
    st.builds(Graded, st.integers(0, 50), st.floats(-3, 3), shares, st.integers(0, 3)), unique_by=lambda page: page.page
)


@given(pages, st.floats(0, 2), st.integers(0, 9), st.integers(0, 9))
def test_no_archetype_is_off_topic_and_none_comes_twice(
    pages: list[Graded], border: float, authorities: int, confident: int
) -> None:
    found = propose("T", pages, border, authorities=authorities, confident=confident)
    assert len(found) <= authorities + confident
    assert len({archetype.page for archetype in found}) == len(found)
    for archetype in found:
        assert archetype.confidence > 0
        assert archetype.authority > 0
        assert archetype.rule is not ProposalRule.AUTHORITY or archetype.confidence > border
    assert [a.confidence for a in found] == sorted((a.confidence for a in found), reverse=True)


@given(pages, st.integers(0, 20))
def test_no_host_gives_more_than_a_share(pages: list[Graded], number: int) -> None:
    hosts = {page.page: page.host for page in pages}
    found = propose("T", pages, 0.0, authorities=0, confident=number)
    for host in range(4):
        assert sum(hosts[archetype.page] == host for archetype in found) <= max(1, number // HOSTS)

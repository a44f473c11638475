"""What waiting links remember of the sites that link to them."""

import pytest

from thresher.strategies.websites.site_links import SOURCES, LinkMemo, joined, rank


def linked_by(memo: LinkMemo, number: int, pages: int, posterior: float) -> LinkMemo:
    return joined(memo, LinkMemo(sources=((number, posterior * pages, pages, posterior),)), "global")


def test_a_site_counts_once_however_many_others_link() -> None:
    memo = LinkMemo()
    for number in range(SOURCES + 3):
        memo = linked_by(memo, number, 1, 0.5)
    for pages in range(2, 10):
        memo = linked_by(memo, SOURCES + 3, pages, 0.5)
        memo = linked_by(memo, SOURCES + 4, pages, 0.5)
    assert len(memo.sources) + memo.rest[1] == SOURCES + 5
    assert rank(memo, "global") == pytest.approx(0.5)
    assert rank(linked_by(memo, SOURCES + 4, 10, 1.0), "global") == pytest.approx((16 * 0.5 + 1.0) / 17)


def test_smoothed_ranks_grow_with_the_number_of_good_links_and_stay_below_them() -> None:
    memo, before = LinkMemo(), 0.0
    for number in range(SOURCES + 3):
        memo = linked_by(memo, number, 1, 0.9)
        now = rank(memo, "global", smoothing=2.0)
        assert before < now < rank(memo, "global") == pytest.approx(0.9)
        before = now
    assert rank(LinkMemo(), "global", smoothing=2.0) == 0.0

"""Whether shown probabilities hold, on pages that can be counted by hand."""

import pytest

from thresher.bench.promise.calibration import BINS, Bin, calibration, pooled
from thresher.bench.promise.truth import Truth
from thresher.portal.wording import SURE

HOME, NEW = "http://home.test/", "http://new.test/"
TRUTH = Truth(
    topics=("boats",),
    examples=frozenset([f"{HOME}0"]),
    of={f"{HOME}1": ("boats",), **{f"{NEW}{n}": ("boats",) if n % 2 else () for n in range(6)}},
    reachable={"boats": frozenset()},
    oracle=[],
)


def test_pages_are_counted_by_their_probability_on_hosts_without_a_bookmark() -> None:
    given = {f"{NEW}{n}": p for n, p in enumerate([0.95, 0.99, 0.94, 0.85, 0.1, 0.59])}
    probabilities = {**given, f"{HOME}1": 0.99, f"{NEW}unlabelled": 0.99}
    fetched = [*probabilities, *probabilities, f"{NEW}rejected"]
    found = calibration(fetched, dict.fromkeys(probabilities, "boats"), probabilities, TRUTH)
    assert [(one.least, one.pages) for one in found] == [(0.95, 2), (0.8, 2), (0.6, 0), (0.0, 2)]
    assert found[0].predicted == pytest.approx(0.97)
    assert [one.right for one in found] == [0.5, 0.5, None, 0.5]


def test_a_page_given_to_another_topic_is_wrong() -> None:
    url = f"{NEW}1"
    assert calibration([url], {url: "cars"}, {url: 0.9}, TRUTH)[1].right == 0.0


def test_runs_are_pooled_page_by_page() -> None:
    one, other = [Bin(0.8, 1, 0.9, 1.0), Bin(0.0, 0, None, None)], [Bin(0.8, 3, 0.9, 0.0), Bin(0.0, 0, None, None)]
    assert pooled([one, other, []]) == [Bin(0.8, 4, 0.9, 0.25), Bin(0.0, 0, None, None)]
    assert pooled([]) == []


def test_the_bins_are_those_that_the_portal_has_words_for() -> None:
    assert tuple(least for _, least, _ in SURE) == BINS

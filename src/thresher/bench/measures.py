"""Measures of a crawl's quality: pure functions of its log; shares and rates are between 0 and 1.

A crawl that ended before `t` pages keeps its last figure from there on, so its curve stays flat.
"""

from collections.abc import Sequence
from math import ceil
from statistics import fmean
from typing import TypeVar
from urllib.parse import urlsplit

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.bench.records import FetchedPage

T = TypeVar("T")

Curve = NDArray[np.float64]

LEVELS = (0.1, 0.5, 1.0)
"""The recall levels at which precision is reported."""


class Effort(Struct, frozen=True):
    """The effort to reach a recall level: `pages` fetched, the `precision` among them, and the F1 of both."""

    pages: int
    precision: float
    recall: float
    f1: float


def harvest_rate(log: Sequence[FetchedPage], t: int) -> float:
    """Return the harvest rate H(t), the share of relevant pages among the first `t`; 0 if there are none.

    >>> log = [FetchedPage("http://a.test/", True, False), FetchedPage("http://b.test/", False, False)]
    >>> harvest_rate(log, 1), harvest_rate(log, 2), harvest_rate(log, 100)
    (1.0, 0.5, 0.5)
    """
    seen = _first(log, t)
    return sum(visit.relevant for visit in seen) / len(seen) if seen else 0.0


def target_recall(log: Sequence[FetchedPage], targets: int, t: int) -> float:
    """Return the target recall R(t), the share of held-out targets among the first `t` pages; 0 without targets.

    >>> log = [FetchedPage("http://a.test/", True, True), FetchedPage("http://b.test/", True, False)]
    >>> target_recall(log, 4, 2)
    0.25
    """
    return _share([visit.target for visit in _first(log, t)], targets)


def recall_curve(found: Sequence[bool], targets: int, budget: int) -> Curve:
    """Return target recall after 1, 2, ..., `budget` pages; `found` says for each page whether it is a target.

    >>> recall_curve([True, False, True], targets=4, budget=5).tolist()
    [0.25, 0.25, 0.5, 0.5, 0.5]
    """
    seen = _first(found, budget)
    _share(seen, targets)
    curve = np.zeros(budget, dtype=np.float64)
    if seen and targets:
        curve[: len(seen)] = np.cumsum(np.asarray(seen, dtype=np.int64)) / targets
        curve[len(seen) :] = curve[len(seen) - 1]
    return curve


def harvest_curve(log: Sequence[FetchedPage], budget: int) -> Curve:
    """Return the harvest rate after 1, 2, ..., `budget` pages.

    >>> log = [FetchedPage("http://a.test/", True, False), FetchedPage("http://b.test/", False, False)]
    >>> harvest_curve(log, 3).tolist()
    [1.0, 0.5, 0.5]
    """
    seen = _first(log, budget)
    curve = np.zeros(budget, dtype=np.float64)
    if seen:
        relevant = np.asarray([visit.relevant for visit in seen], dtype=np.int64)
        curve[: len(seen)] = np.cumsum(relevant) / np.arange(1, len(seen) + 1)
        curve[len(seen) :] = curve[len(seen) - 1]
    return curve


def oracle_share(found: Sequence[bool], oracle: Sequence[bool], targets: int, budget: int) -> float | None:
    """Return the area under a target recall curve relative to that of the oracle, up to the budget.

    `found` and `oracle` say for each fetched page whether it is a target. Returns None if the oracle finds nothing. The
    oracle takes the nearest target, which is not always optimal, so figures slightly above 1 are possible.

    >>> oracle_share([False, True], [True, True], targets=2, budget=2)
    0.3333333333333333
    """
    best = float(recall_curve(oracle, targets, budget).sum())
    return float(recall_curve(found, targets, budget).sum()) / best if best else None


def precision_at_recall(
    log: Sequence[FetchedPage], targets: int, levels: Sequence[float] = LEVELS
) -> dict[float, Effort | None]:
    """Return the effort at each recall level: the shortest prefix of the crawl that contains enough targets.

    None if the crawl never reached the level. The number of targets is rounded up: half of five targets is three.

    >>> log = [FetchedPage(f"http://a.test/{n}", True, n % 2 == 1) for n in range(4)]
    >>> precision_at_recall(log, 2, (0.5, 1.0))[0.5]
    Effort(pages=2, precision=0.5, recall=0.5, f1=0.5)
    """
    _share([visit.target for visit in log], targets)
    places = [place for place, visit in enumerate(log, start=1) if visit.target]
    return {level: _effort(places, targets, level) for level in levels}


def average_similarity(log: Sequence[FetchedPage], t: int) -> float | None:
    """Return the mean cosine with the topic's description over the first `t` pages; None if none was measured."""
    measured = [visit.similarity for visit in _first(log, t) if visit.similarity is not None]
    return fmean(measured) if measured else None


def relevant_hosts(log: Sequence[FetchedPage], t: int) -> int:
    """Return how many hosts have a relevant page among the first `t`.

    >>> relevant_hosts([FetchedPage("http://a.test/1", True, False), FetchedPage("http://A.test/2", True, True)], 2)
    1
    """
    return len({urlsplit(visit.url).hostname for visit in _first(log, t) if visit.relevant})


def _effort(places: Sequence[int], targets: int, level: float) -> Effort | None:
    # 0.07 x 100 is slightly more than 7 in binary; seven targets should be enough.
    needed = max(1, ceil(round(level * targets, 9)))
    if needed > len(places):
        return None
    pages = places[needed - 1]
    precision, recall = needed / pages, needed / targets
    return Effort(pages, precision, recall, 2 * precision * recall / (precision + recall))


def _first(items: Sequence[T], t: int) -> Sequence[T]:
    if t < 0:
        raise ValueError("A number of pages cannot be negative.")
    return items[:t]


def _share(found: Sequence[bool], targets: int) -> float:
    number = sum(found)
    if targets < 0 or number > max(targets, 0):
        raise ValueError(f"A crawl found {number} of {targets} targets: targets must be counted before the crawl.")
    return number / targets if targets else 0.0

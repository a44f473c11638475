"""Compares two settings on the same trials: paired differences, and whether one is no worse."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from scipy.special import stdtrit

from thresher.bench.promise.records import Promise
from thresher.bench.statistics import estimate

MARGIN: Final = 0.01
"""Difference up to which a setting still counts as no worse."""

PAIRS: Final = 20
"""Minimum number of pairs for a "no worse" verdict."""

_LEVEL: Final = 0.95


class Difference(Struct, frozen=True):
    """The mean difference of a measure over `n` pairs with its standard error and lower bound.

    A pair is a trial, or a topic of a trial for measures named `topic_...`. `low` is the lower bound of a one-sided 95
    % interval; it and the error are None for a single pair.
    """

    measure: str
    difference: float
    error: float | None
    low: float | None
    n: int

    @property
    def no_worse(self) -> bool:
        """Whether it is shown to be no worse: there are enough pairs, and the lower bound is above minus the margin."""
        return self.n >= PAIRS and self.low is not None and self.low > -MARGIN


def differences(runs: Sequence[Promise], others: Sequence[Promise]) -> list[Difference]:
    """Return the differences between runs of the same cells and seeds, by measure; unpaired runs are skipped."""
    partners = {(row.cell, row.seed): row for row in others}
    pairs = [(row, partners[row.cell, row.seed]) for row in runs if (row.cell, row.seed) in partners]
    found = [_difference(name, [_less(of(one), of(other)) for one, other in pairs]) for name, of in _MEASURES.items()]
    for name, each in _BY_TOPIC.items():
        both = [zip(each(one), each(other), strict=True) for one, other in pairs]
        found.append(_difference(f"topic_{name}", [_less(ours, theirs) for pair in both for ours, theirs in pair]))
    return [difference for difference in found if difference is not None]


_MEASURES: Final[dict[str, Callable[[Promise], float | None]]] = {
    "on_topic": lambda row: row.on_topic,
    "right_pages": lambda row: row.right_pages,
    "hosts_found": lambda row: row.hosts_found,
    "f_new_hosts": lambda row: row.f_new_hosts,
    "judged_f_new_hosts": lambda row: row.judged_f_new_hosts,
}


def _right(row: Promise) -> list[float | None]:
    """Return the right accepted pages of each topic relative to its fair share of the budget, at most 1."""
    share = row.budget / len(row.topics)
    return [min(1.0, (topic.precision or 0.0) * topic.accepted / share) for topic in row.topics]


_BY_TOPIC: Final[dict[str, Callable[[Promise], list[float | None]]]] = {
    "right_pages": _right,
    "f": lambda row: [topic.f for topic in row.topics],
}


def _less(ours: float | None, theirs: float | None) -> float | None:
    return ours - theirs if ours is not None and theirs is not None else None


def _difference(name: str, found: Sequence[float | None]) -> Difference | None:
    mean = estimate(value for value in found if value is not None)
    if mean is None:
        return None
    low = None if mean.error is None else mean.mean - float(stdtrit(mean.n - 1, _LEVEL)) * mean.error
    return Difference(name, mean.mean, mean.error, low, mean.n)

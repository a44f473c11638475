"""Statistics: means with standard errors, paired tests, and topics by difficulty.

The sample consists of topics, since a claim should hold for untried topics. Seed sets of one topic are not independent
topics, so they are averaged first, and the standard error is over topics. Only if there is a single topic do its seed
sets serve as the sample, and the claim is then about that topic alone.

The test is the paired t-test over topics, on the mean difference of each topic over the seed sets that both strategies
ran. In addition there is the exact sign-flip test, which does not assume normal differences: with n topics its p cannot
fall below 2⁻ⁿ, so fewer than five topics never reach .05 one-tailed, whatever the t-test says.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.special import stdtr

Figures = Mapping[tuple[str, int], float]
"""One figure per run of a strategy, by topic and seed set."""

ALPHAS = (0.05, 0.10)
EXACT = 14
"""Number of pairs up to which all sign patterns are enumerated; beyond, a fixed sample is used."""
SAMPLE = 20_000
QUARTILES = 4


class Estimate(Struct, frozen=True):
    """A mean over `n` units with its standard error, None for a single unit."""

    mean: float
    error: float | None
    n: int


class PairedTest(Struct, frozen=True, kw_only=True):
    """A strategy against the baseline over `n` pairs: mean difference, its standard error, t, and three p values.

    `greater` is one-tailed (is the strategy better?), `two_sided` tests for any difference, and `flip` is the exact
    one-tailed sign-flip test. `t` and the t-tests are None if the differences do not vary. `units` says what a pair is:
    `topics`, or the `seeds` of a single topic.
    """

    n: int
    units: str
    difference: float
    error: float
    t: float | None
    greater: float | None
    two_sided: float | None
    flip: float


def estimate(values: Iterable[float]) -> Estimate | None:
    """Return mean and standard error, or None if there is nothing to average.

    >>> estimate([1.0, 3.0])
    Estimate(mean=2.0, error=1.0, n=2)
    """
    array = np.asarray(list(values), dtype=np.float64)
    if not len(array):
        return None
    error = float(array.std(ddof=1) / sqrt(len(array))) if len(array) > 1 else None
    return Estimate(float(array.mean()), error, len(array))


def over_topics(figures: Figures) -> Estimate | None:
    """Return the mean over topics, each the mean of its seed sets; for a single topic, over its seed sets.

    >>> over_topics({("Music", 0): 1.0, ("Music", 1): 3.0, ("Chess", 0): 4.0})
    Estimate(mean=3.0, error=1.0, n=2)
    """
    return estimate(_units(figures)[1])


def paired_test(strategy: Figures, baseline: Figures) -> PairedTest | None:
    """Compare two strategies over the runs that both made; None with fewer than two pairs.

    >>> ours = {(topic, 0): value for topic, value in zip("abcdef", (0.5, 0.6, 0.7, 0.6, 0.5, 0.4))}
    >>> test = paired_test(ours, {key: 0.4 for key in ours})
    >>> round(test.difference, 3), round(test.t, 3), round(test.greater, 4), test.flip
    (0.15, 3.503, 0.0086, 0.03125)
    """
    differences = {key: value - baseline[key] for key, value in strategy.items() if key in baseline}
    units, values = _units(differences)
    found = estimate(values)
    if found is None or found.error is None:
        return None
    t = found.mean / found.error if found.error > _noise(values) else None
    freedom = found.n - 1
    return PairedTest(
        n=found.n,
        units=units,
        difference=found.mean,
        error=found.error,
        t=t,
        greater=None if t is None else float(stdtr(freedom, -t)),
        two_sided=None if t is None else float(2 * stdtr(freedom, -abs(t))),
        flip=sign_flip(values),
    )


def sign_flip(differences: Sequence[float]) -> float:
    """Return the one-tailed p value of the exact sign-flip test for a mean above 0.

    >>> sign_flip([0.1, 0.2, 0.3])
    0.125
    """
    values = np.asarray(differences, dtype=np.float64)
    if len(values) <= EXACT:
        signs = np.asarray(list(product((1.0, -1.0), repeat=len(values))))
    else:
        drawn = np.random.default_rng(0).integers(0, 2, size=(SAMPLE, len(values)))
        # The observed signs belong to the sample; without them p could be 0.
        signs = np.vstack([np.ones(len(values)), 2.0 * drawn - 1.0])
    # Sums of the same numbers in a different order differ in the last digit.
    return float(np.mean(signs @ values >= values.sum() - _noise(values)))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p values adjusted by Holm's method; None stays None and does not count as a comparison.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    tested = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    worst = 0.0
    for rank, (p, place) in enumerate(tested):
        worst = max(worst, min(1.0, p * (len(tested) - rank)))
        adjusted[place] = worst
    return adjusted


def quartiles(recall: Figures) -> list[list[str]]:
    """Return the topics in up to four groups of nearly equal size, from hardest (lowest recall) to easiest.

    `recall` is that of the baseline. Fewer than four topics form as many groups.

    >>> quartiles({("a", 0): 0.9, ("b", 0): 0.1, ("c", 0): 0.5, ("d", 0): 0.6, ("e", 0): 0.2})
    [['b', 'e'], ['c'], ['d'], ['a']]
    """
    means = {topic: float(np.mean(values)) for topic, values in by_topic(recall).items()}
    topics = sorted(means, key=lambda topic: (means[topic], topic))
    parts = np.array_split(np.arange(len(topics)), min(QUARTILES, max(1, len(topics))))
    return [[topics[place] for place in part] for part in parts if len(part)]


def _units(figures: Figures) -> tuple[str, list[float]]:
    topics = by_topic(figures)
    if len(topics) == 1:
        return "seeds", next(iter(topics.values()))
    return "topics", [float(np.mean(values)) for values in topics.values()]


def by_topic(figures: Figures) -> dict[str, list[float]]:
    """Return the figures of each topic in the order of its seed sets; topics are sorted by name.

    >>> by_topic({("b", 0): 0.1, ("a", 1): 0.2, ("a", 0): 0.3})
    {'a': [0.3, 0.2], 'b': [0.1]}
    """
    found: dict[str, list[float]] = defaultdict(list)
    for (topic, _), value in sorted(figures.items()):
        found[topic].append(value)
    return dict(found)


def _noise(values: Sequence[float] | NDArray[np.float64]) -> float:
    """Return the threshold below which a difference is only a rounding error."""
    return 1e-12 * max(1.0, float(np.abs(values).max(initial=0.0)))

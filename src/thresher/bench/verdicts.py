"""Decides whether a claim holds: evidence for and against it from paired differences, and the verdict.

A claim of *more* is supported by a one-tailed t-test and refuted by the same test in the other direction. A claim of
*no more* or *alike* cannot be supported by a test that finds nothing: it must be shown that the difference is below the
margin, which counts as none (for *alike*, on both sides: two one-tailed tests).
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final, Literal

import numpy as np
from msgspec import Struct
from scipy.special import stdtr

from thresher.bench.claims import Kind
from thresher.bench.statistics import sign_flip

MARGIN: Final = 0.02
"""A difference in recall, harvest rate or accuracy that counts as none."""

Verdict = Literal["holds", "does not hold", "not decided"]


class Evidence(Struct, frozen=True):
    """A difference over `n` topics with its standard error, and the p values of the claim and its opposite.

    A small `supports` is evidence for the claim, a small `refutes` evidence against it; both are None if the topics do
    not differ or there are fewer than two. `flip` is the exact sign-flip test for a greater first side.
    """

    n: int
    difference: float
    error: float | None
    supports: float | None
    refutes: float | None
    flip: float | None


def weigh(kind: Kind, differences: Sequence[float]) -> Evidence:
    """Return the evidence from one difference per topic.

    >>> found = weigh("greater", [0.1, 0.2, 0.0, 0.2, 0.1, 0.0])
    >>> found.n, round(found.difference, 3), round(found.supports, 4), found.flip
    (6, 0.1, 0.0204, 0.0625)
    """
    values = np.asarray(differences, dtype=np.float64)
    n, mean = len(values), float(values.mean())
    error = float(values.std(ddof=1) / sqrt(n)) if n > 1 else None
    return _evidence(kind, n, mean, error, n - 1, sign_flip(differences))


def weigh_groups(kind: Kind, inside: Sequence[float], outside: Sequence[float]) -> Evidence:
    """Return the evidence from the difference between the means of two groups of topics, by Welch's test.

    >>> found = weigh_groups("greater", [0.3, 0.4, 0.35], [0.1, 0.0, 0.05, 0.1])
    >>> found.n, round(found.difference, 4), found.supports < 0.01
    (7, 0.2875, True)
    """
    groups = [np.asarray(group, dtype=np.float64) for group in (inside, outside)]
    n = sum(map(len, groups))
    mean = float(groups[0].mean() - groups[1].mean())
    if min(map(len, groups)) < 2:
        return _evidence(kind, n, mean, None, 0.0, None)
    parts = [float(group.var(ddof=1)) / len(group) for group in groups]
    below = sum(part**2 / (len(group) - 1) for part, group in zip(parts, groups, strict=True))
    return _evidence(kind, n, mean, sqrt(sum(parts)), sum(parts) ** 2 / below if below else 0.0, None)


def verdict(parts: Sequence[Evidence | None], alpha: float) -> Verdict:
    """Return the verdict on a claim with one or more parts; None is an untested part.

    The claim holds if every part is supported at `alpha`. It does not hold if a part is refuted at `alpha` divided by
    the number of parts, since with many parts one looks refuted by chance; a supported part refutes nothing.
    """
    tested = [part for part in parts if part is not None]
    supported = [_below(part.supports, alpha) for part in tested]
    if tested and sum(supported) == len(parts):
        return "holds"
    bound = alpha / max(1, len(parts))
    if any(_below(part.refutes, bound) and not yes for part, yes in zip(tested, supported, strict=True)):
        return "does not hold"
    return "not decided"


def _evidence(kind: Kind, n: int, mean: float, error: float | None, freedom: float, flip: float | None) -> Evidence:
    if error is None or error <= 1e-12:
        return Evidence(n, mean, error, None, None, flip)

    def above(difference: float) -> float:
        """Return the one-tailed p of a true difference above 0."""
        return float(stdtr(freedom, -difference / error))

    if kind == "greater":
        supports, refutes = above(mean), above(-mean)
    elif kind == "no-greater":
        supports, refutes = above(MARGIN - mean), above(mean)
    else:
        supports, refutes = max(above(MARGIN - mean), above(MARGIN + mean)), 2 * above(abs(mean))
    return Evidence(n, mean, error, supports, refutes, flip)


def _below(p: float | None, bound: float) -> bool:
    return p is not None and p < bound

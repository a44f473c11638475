"""Rankings fitted to relevance feedback (Sizov, section 2.4.13).

Feedback consists of a query, relevant pages and irrelevant pages. The weights of the parts are fitted by least squares:
relevant pages should score 1 and irrelevant ones -1. Little feedback changes the weights little, and not at all unless
the new weights would have ordered the judged pages better (`proven`). Similar weight vectors form a shared profile. A
new query uses the shared profile whose relevant pages rank high in its results and whose irrelevant pages rank low; if
none fits, the default ranking is used.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.search.rankings import PARTS
from thresher.store.search_records import SearchFeedback

Floats = NDArray[np.float64]

RESTRAINT: Final = 30.0
"""Regularization strength, in judged pages: the higher, the less a few verdicts change the weights."""

ALIKE: Final = 0.9
"""Minimum similarity of two weight vectors in one profile."""

USUAL: Final = "me"
"""The default profile name."""

LOOKED_AT: Final = 25
"""Number of results used to decide whether a profile fits a query."""


class SharedProfile(Struct, frozen=True):
    """The common part of several pieces of feedback: mean weights, queries, relevant and irrelevant pages."""

    weights: dict[str, float]
    queries: tuple[str, ...]
    relevant: frozenset[str]
    irrelevant: frozenset[str]


def fitted(parts: Floats, relevant: NDArray[np.bool_], before: Mapping[str, float]) -> dict[str, float]:
    """Return weights close to `before` that rank relevant pages first; the largest is 1 or -1.

    `parts` has a row for each judged page and a column for each of `PARTS`.

    >>> parts, relevant = np.array([[0.1, 0.9], [0.9, 0.1]] * 60), np.array([True, False] * 60)
    >>> fitted(parts, relevant, {"text": 1.0})["confidence"]
    1.0
    """
    columns = parts.shape[1]
    start = np.array([before.get(name, 0.0) for name in PARTS[:columns]])
    centred = parts - parts.mean(axis=0) if relevant.any() and not relevant.all() else parts
    wanted = np.where(relevant, 1.0, -1.0)
    wanted = wanted - wanted.mean() if relevant.any() and not relevant.all() else wanted
    square = centred.T @ centred + RESTRAINT * np.eye(columns)
    change = np.linalg.solve(square, centred.T @ (wanted - centred @ start))
    weights = start + change
    largest = np.abs(weights).max(initial=0.0) or 1.0
    return {name: round(float(weight), 6) for name, weight in zip(PARTS, weights / largest, strict=False)}


def proven(parts: Floats, relevant: NDArray[np.bool_], before: Mapping[str, float]) -> dict[str, float]:
    """Return the fitted weights if they pass cross-validation, otherwise `before`.

    Each judged page is left out in turn and the weights are fitted to the others; then the pages with the opposite
    verdict that it is correctly ranked against are counted. A few verdicts are easily fitted by chance, so the fitted
    weights are used only if they get more pairs right than `before`.

    >>> parts = np.array([[0.1, 0.9], [0.2, 0.8], [0.9, 0.1], [0.8, 0.2]] * 30)
    >>> proven(parts, np.array([True, True, False, False] * 30), {"text": 1.0})["confidence"]
    1.0
    >>> proven(parts[:4], np.array([True, False, True, False]), {"text": 1.0})
    {'text': 1.0}
    """
    start = np.array([before.get(name, 0.0) for name in PARTS[: parts.shape[1]]])
    right_before = right_after = 0.0
    for place in range(len(parts)):
        others = np.arange(len(parts)) != place
        rivals = parts[others & (relevant != relevant[place])]
        weights = fitted(parts[others], relevant[others], before)
        after = np.array([weights[name] for name in PARTS[: parts.shape[1]]])
        sign = 1.0 if relevant[place] else -1.0
        right_before += _put_right(sign * ((parts[place] - rivals) @ start))
        right_after += _put_right(sign * ((parts[place] - rivals) @ after))
    return fitted(parts, relevant, before) if right_after > right_before else dict(before)


def _put_right(ahead: Floats) -> float:
    """Return how many differences are above 0; zeros count half."""
    return float(np.count_nonzero(ahead > 0) + 0.5 * np.count_nonzero(ahead == 0))


def likeness(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the similarity of two weight vectors, 0 to 1; weights are between -1 and 1.

    >>> likeness({"text": 1.0}, {"text": 1.0}), likeness({"text": 1.0}, {"text": -1.0}) < 1
    (1.0, True)
    """
    return 1.0 - sum(abs(one.get(name, 0.0) - other.get(name, 0.0)) for name in PARTS) / (2 * len(PARTS))


def shared_profiles(feedback: Sequence[SearchFeedback]) -> list[SharedProfile]:
    """Return the profiles that feedback forms; each piece joins the most similar profile that is similar enough."""
    groups: list[list[SearchFeedback]] = []
    for row in feedback:
        near = [group for group in groups if likeness(_mean(group), row.weights) >= ALIKE]
        if near:
            max(near, key=lambda group: likeness(_mean(group), row.weights)).append(row)
        else:
            groups.append([row])
    return [_shared(group) for group in groups]


def _mean(group: Sequence[SearchFeedback]) -> dict[str, float]:
    return {name: sum(row.weights.get(name, 0.0) for row in group) / len(group) for name in PARTS}


def _shared(group: Sequence[SearchFeedback]) -> SharedProfile:
    relevant = {url for row in group for url in row.relevant}
    irrelevant = {url for row in group for url in row.irrelevant}
    queries = tuple(dict.fromkeys(row.query for row in group))
    return SharedProfile(_mean(group), queries, frozenset(relevant - irrelevant), frozenset(irrelevant - relevant))


def fit(profile: SharedProfile, results: Sequence[str]) -> float:
    """Return how well a profile fits the results of a query, best first: above 0 if its relevant pages rank high.

    >>> profile = SharedProfile({}, (), frozenset({"a"}), frozenset({"c"}))
    >>> fit(profile, ["a", "b", "c"]), fit(profile, ["c", "b", "a"]), fit(profile, ["b"])
    (2.0, -2.0, 0.0)
    """
    number = len(results)
    if number < 2:
        return 0.0
    total = 0.0
    for place, url in enumerate(results, 1):
        high = (number + 1 - 2 * place) / (number - 1)
        total += high * (url in profile.relevant) / max(1, len(profile.relevant))
        total -= high * (url in profile.irrelevant) / max(1, len(profile.irrelevant))
    return total


def fitting(profiles: Sequence[SharedProfile], results: Sequence[str]) -> SharedProfile | None:
    """Return the profile that fits the results of a query best, or None if none fits."""
    best = max(profiles, key=lambda profile: fit(profile, results), default=None)
    return best if best is not None and fit(best, results) > 0 else None

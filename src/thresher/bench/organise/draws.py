"""Random draws of topics and their texts."""

from random import Random
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.bench.organise.labelled_bags import Bag, Topics

EACH: Final = 200
"""Maximum number of texts per topic in a draw."""


class OrganiseRun(Struct, frozen=True, kw_only=True):
    """One method on one draw; `loss` is the share of texts left undecided, `error` the error rate on the rest."""

    data: str
    task: str
    method: str
    seed: int
    k: int
    loss: float
    error: float


class TextSample(Struct, frozen=True):
    """Texts of some topics, with the topic number of each."""

    topics: list[str]
    bags: list[Bag]
    truth: NDArray[np.int64]


def draw(data: str, topics: Topics, k: int, seed: int, each: int = EACH, *, equal: bool = False) -> TextSample:
    """Draw `k` topics and at most `each` texts of each, the same number of each if `equal`; reproducible by seed."""
    rng = Random(f"{data}/{k}/{seed}")
    chosen = rng.sample(sorted(topics), k)
    if equal:
        each = min(each, *(len(topics[topic]) for topic in chosen))
    bags: list[Bag] = []
    truth: list[int] = []
    for number, topic in enumerate(chosen):
        sources = rng.sample(topics[topic], min(each, len(topics[topic])))
        own = [bag for bag in (source() for source in sources) if bag]
        bags += own
        truth += [number] * len(own)
    return TextSample(chosen, bags, np.array(truth, np.int64))


def clustering_error(truth: NDArray[np.int64], labels: NDArray[np.int64], k: int) -> float:
    """Return the share of decided texts that are outside the cluster best matched to their topic.

    >>> clustering_error(np.array([0, 0, 1, 1]), np.array([1, 1, 0, -1]), 2)
    0.0
    """
    from scipy.optimize import linear_sum_assignment

    decided = labels >= 0
    cells = np.zeros((k, k), np.int64)
    np.add.at(cells, (truth[decided], labels[decided]), 1)
    rows, columns = linear_sum_assignment(-cells)
    return 1.0 - float(cells[rows, columns].sum()) / max(1, int(decided.sum()))

"""Classification with peers: accuracy by number of peers and loss, compared with the estimates.

See Sizov, section 3.4.4. The training texts of two topics are distributed to peers, each of which trains a linear
support vector machine and shares it as data. Texts that no peer has are then classified by 1, 4, 8 and 16 peers.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.bench.organise.labelled_bags import Bag, Topics
from thresher.bench.peers.distribution import dealt
from thresher.classify.linear_model import LinearMachine, LinearModel
from thresher.learn.linear import LinearSvm
from thresher.learn.restrictive import most_certain
from thresher.learn.tfidf import TfIdf
from thresher.peers.meta import weight_of
from thresher.peers.models import TopicModel, checked_model
from thresher.peers.planning import agreement, beta_law, chained, unanimous

TAUGHT: Final = 200
"""Texts of each topic distributed to peers."""

TESTED: Final = 200
"""Maximum number of test texts per topic."""

LEAST_TESTED: Final = 50
PEERS: Final = 16
NUMBERS: Final = (1, 4, 8, 16)
LOSSES: Final = (0.0, 0.2, 0.5)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class PeerRun(Struct, frozen=True, kw_only=True):
    """One decision method with a number of peers on one pair of topics.

    `method` is equal (equal weights as in the source), weighted (by accuracy as measured by other peers) or unanimous.
    `estimated_error` is the estimate from the peers' own texts. The other estimates apply to unanimous votes only:
    `estimated_loss`, `beta_error` by the beta law alone, and `chained_error` by the formula in the source.
    """

    data: str
    topics: tuple[str, str]
    method: str
    peers: int
    seed: int
    loss: float
    accuracy: float
    estimated_error: float
    estimated_loss: float | None = None
    beta_error: float | None = None
    chained_error: float | None = None


class PairOfTopics(Struct, frozen=True):
    """Texts of two topics, some for training and some for testing."""

    names: tuple[str, str]
    taught: list[Bag]
    taught_labels: Flags
    tested: list[Bag]
    tested_labels: Flags


def draw_pair(data: str, topics: Topics, seed: int) -> PairOfTopics:
    """Draw two topics with enough texts; reproducible by seed."""
    rng = Random(f"{data}/peers/{seed}")
    enough = sorted(topic for topic, texts in topics.items() if len(texts) >= TAUGHT + LEAST_TESTED)
    names = tuple(rng.sample(enough, 2))
    taught: list[Bag] = []
    tested: list[Bag] = []
    ends = []
    for name in names:
        bags = [
            bag for bag in (read() for read in rng.sample(topics[name], len(topics[name]))[: TAUGHT + TESTED]) if bag
        ]
        taught += bags[:TAUGHT]
        tested += bags[TAUGHT:]
        ends.append((len(taught), len(tested)))
    return PairOfTopics(
        (names[0], names[1]),
        taught,
        np.arange(len(taught)) < ends[0][0],
        tested,
        np.arange(len(tested)) < ends[0][1],
    )


def measure_pair(data: str, pair: PairOfTopics, seed: int) -> list[PeerRun]:
    """Measure all numbers of peers, decision methods and losses on one pair."""
    rng = Random(f"{data}/deal/{seed}")
    first = np.flatnonzero(pair.taught_labels).tolist()
    second = np.flatnonzero(~pair.taught_labels).tolist()
    parts = [one + two for one, two in zip(dealt(first, PEERS, rng), dealt(second, PEERS, rng), strict=True)]
    machines = [LinearMachine(trained(pair, part)) for part in parts]
    unseen = np.array([~np.isin(np.arange(len(pair.taught)), part) for part in parts])
    known = np.array([machine.confidences(pair.taught) for machine in machines])
    said = np.array([machine.confidences(pair.tested) for machine in machines])
    order = rng.sample(range(PEERS), PEERS)
    runs = []
    for number in NUMBERS:
        group = np.array(order[:number])
        there = _Group(known[group], unseen[group], pair.taught_labels, said[group], pair.tested_labels)
        about = {"data": data, "topics": pair.names, "peers": number, "seed": seed}
        runs += [msgspec.convert({**about, **row}, PeerRun) for row in _decisions(there, number)]
    return runs


def trained(pair: PairOfTopics, part: Sequence[int]) -> LinearModel:
    """Return the model of a peer as another receives it: normalised by the length of its weights, and validated."""
    bags = [pair.taught[text] for text in part]
    weighing = TfIdf(min_bags=1).fit(bags)
    weights, bias = LinearSvm(balanced=True).weights(weighing.transform(bags), pair.taught_labels[list(part)])
    length = float(np.linalg.norm(weights)) or 1.0
    model = LinearModel(weighing.terms_, weighing.idf_.tolist(), (weights / length).tolist(), bias / length)
    arrived = checked_model(msgspec.json.decode(msgspec.json.encode(TopicModel("topic", model))))
    if not isinstance(arrived, TopicModel):
        raise RuntimeError(arrived.value)
    return arrived.model


class _Group(Struct, frozen=True):
    """Some peers: their confidences for training texts, which of these each has not seen, and for the test texts."""

    known: Floats
    unseen: Flags
    labels: Flags
    said: Floats
    truth: Flags


def _decisions(group: _Group, number: int) -> list[dict[str, float | str | None]]:
    right = (group.known > 0) == group.labels
    accuracies = np.array([row[mask].mean() for row, mask in zip(right, group.unseen, strict=True)])
    rows: list[dict[str, float | str | None]] = []
    for method, weights in (("equal", np.ones(number)), ("weighted", np.array([weight_of(a) for a in accuracies]))):
        sums = weights @ group.said
        held_out = (weights[:, None] * group.known * group.unseen).sum(axis=0)
        asked = group.unseen.any(axis=0)
        for loss in LOSSES:
            estimated = 1.0 - _accuracy(held_out[asked], group.labels[asked], loss)
            rows.append(
                {
                    "method": method,
                    "loss": loss,
                    "accuracy": round(_accuracy(sums, group.truth, loss), 4),
                    "estimated_error": round(estimated, 4),
                }
            )
    return [*rows, _unanimous(group, right, number)]


def _unanimous(group: _Group, right: Flags, number: int) -> dict[str, float | str | None]:
    known = agreement(right, group.unseen)
    plan, law, chain = (by(known, number) for by in (unanimous, beta_law, chained))
    taken = group.said > 0
    decided = taken.all(axis=0) | (~taken).all(axis=0)
    accuracy = float((taken[0] == group.truth)[decided].mean()) if decided.any() else 1.0
    return {
        "method": "unanimous",
        "loss": round(1.0 - float(decided.mean()), 4),
        "accuracy": round(accuracy, 4),
        "estimated_error": round(plan.error, 4),
        "estimated_loss": round(plan.loss, 4),
        "beta_error": round(law.error, 4),
        "chained_error": round(chain.error, 4),
    }


def _accuracy(sums: Floats, truth: Flags, loss: float) -> float:
    kept = most_certain(np.abs(sums), loss)
    return float(((sums > 0) == truth)[kept].mean())

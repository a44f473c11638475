"""Opinions of other portals: received models that vote together with the portal's own classifier.

Every vote counts by its weight and its confidence. The confidence of an opinion is limited to that of a typical page,
whatever numbers a model contains, and the own classifier weighs at least as much as all of them together: opinions
settle doubtful pages but cannot overrule the portal where it is as sure as about its own training pages.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from thresher.classify.acceptance import TopicWishes, refusal
from thresher.classify.family_model import FamilyModel
from thresher.classify.folds import site_of
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.linear_model import LinearMachine, LinearModel
from thresher.classify.own_words import own_terms
from thresher.errors import InputError
from thresher.reasons import Unmet
from thresher.types import Judgement, ParsedPage, Rejection
from thresher.work_faults import ModelUnusable

Floats = NDArray[np.float64]

FILE: Final = "opinions.json"
"""The file next to a portal's models with the opinions in use."""

_SMALLEST: Final = 1e-6


class Opinion(Struct, frozen=True):
    """A model of a peer's topic: its `weight`, and the `centre` and `unit` of its confidences on our own pages."""

    peer: str
    topic: str
    weight: float
    centre: float
    unit: float
    model: LinearModel


class TopicOpinions(Struct, frozen=True):
    """The opinions on one topic; `own_weight` is that of the own classifier if larger than all others together."""

    own_weight: float
    opinions: list[Opinion]


def squeezed(factors: Floats) -> Floats:
    """Map numbers into (-1, 1), preserving their order.

    >>> squeezed(np.array([0.0, 1.0, -3.0])).tolist()
    [0.0, 0.5, -0.75]
    """
    return np.asarray(factors / (1.0 + np.abs(factors)))


def stretched(votes: Floats) -> Floats:
    """Invert `squeezed`.

    >>> stretched(np.array([0.0, 0.5, -0.75])).tolist()
    [0.0, 1.0, -3.0]
    """
    return np.asarray(votes / np.maximum(1.0 - np.abs(votes), _SMALLEST))


class Panel:
    """The own classifier and the opinions on one topic, combined."""

    def __init__(self, heard: TopicOpinions) -> None:
        self._machines = [LinearMachine(one.model) for one in heard.opinions]
        self._centres = np.array([one.centre for one in heard.opinions])
        self._units = np.array([max(one.unit, _SMALLEST) for one in heard.opinions])
        self._weights = np.array([one.weight for one in heard.opinions])
        self._own = max(heard.own_weight, float(self._weights.sum()))

    def __len__(self) -> int:
        return len(self._machines)

    def factors(self, own: Floats, bags: Sequence[Mapping[str, int]]) -> Floats:
        """Return the combined confidence for each page.

        `own` and the result are in units of the own classifier's confidence in the topic's training pages.
        """
        if not self._machines or not len(bags):
            return own
        said = np.array([machine.confidences(bags) for machine in self._machines])
        votes = squeezed(np.clip((said - self._centres[:, None]) / self._units[:, None], -1.0, 1.0))
        total = self._own + self._weights.sum()
        return stretched((self._own * squeezed(own) + self._weights @ votes) / total)


class HearingClassifier:
    """Judges pages with a portal's classifier and the opinions on topics that have any.

    If the opinions overrule a topic, the page stays with its parent. A page that a topic at the top rejected only
    because its confidence was too low is accepted if the opinions raise it above the threshold.
    """

    def __init__(self, classifier: HierarchicalClassifier, opinions: Mapping[str, TopicOpinions]) -> None:
        self._classifier = classifier
        self._panels = {topic: Panel(heard) for topic, heard in opinions.items() if heard.opinions}
        self.wishes_: dict[str, TopicWishes] = classifier.wishes_

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> "HearingClassifier":
        """Train the portal's classifier; opinions stay as they are."""
        self._classifier.fit(examples)
        return self

    def classify(self, page: ParsedPage) -> Judgement:
        """Return the judgement of a page."""
        judged = self._classifier.classify(page)
        why = judged.rejection
        topic = judged.topic or (why.topic if why is not None and why.rule is Unmet.BELOW_THRESHOLD else None)
        panel = self._panels.get(topic or "")
        if topic is None or panel is None:
            return judged
        family, place = self._place(topic)
        child = family.children[place]
        unit = child.mean_confidence if child.mean_confidence > _SMALLEST else 1.0
        confidence = float(panel.factors(np.array([judged.confidence / unit]), [own_terms(page)])[0]) * unit
        # A topic without pages of its own requires more than the threshold.
        taken = confidence > (self._classifier.rules.threshold if why is None else why.needed)
        if taken == (judged.topic is not None):
            return judged
        peers = "1 peer" if len(panel) == 1 else f"{len(panel)} peers"
        changed = replace(
            judged,
            confidence=confidence,
            probability=1.0 / (1.0 + math.exp(-max(-700.0, min(700.0, child.slope * confidence + child.offset)))),
            evidence=((f"opinions of {peers}", round(confidence - judged.confidence, 4)), *judged.evidence),
        )
        return self._admitted(changed, topic, page) if taken else self._talked_out(changed, topic, page)

    def _place(self, topic: str) -> tuple[FamilyModel, int]:
        parent, _, name = topic.rpartition("/")
        family = self._classifier.families_[parent]
        return family, [child.name for child in family.children].index(name)

    def _admitted(self, judged: Judgement, topic: str, page: ParsedPage) -> Judgement:
        """Return the judgement that a topic accepts a page after all, unless another of its rules rejects it."""
        family, _ = self._place(topic)
        known = len(family.known(page.terms).places)
        rules = self._classifier.rules
        refused = refusal(page, topic, judged.confidence, known, rules, self.wishes_.get(topic))
        if refused is not None or "/" in topic:
            return self._classifier.classify(page)
        return replace(judged, topic=topic, path=(topic,), rejection=None)

    def _talked_out(self, judged: Judgement, topic: str, page: ParsedPage) -> Judgement:
        """Return the judgement that a page stays with the parent topic."""
        parent = topic.rpartition("/")[0]
        if not parent:
            why = Rejection(rule=Unmet.PEERS_DISAGREE, topic=topic, needed=self._classifier.rules.threshold)
            return replace(judged, topic=None, path=(), rejection=why)
        family, place = self._place(parent)
        scores = family.judge(family.known(page.terms), site_of(page))
        return replace(
            judged,
            topic=parent,
            path=judged.path[:-1],
            confidence=float(scores.confidences[place]),
            probability=float(scores.probabilities[place]),
            border=None,
        )


def opinions_file(model: Path) -> Path:
    """Return the file with the opinions for a model, in the same folder.

    >>> str(opinions_file(Path("models/12ab.zip")))
    'models/opinions.json'
    """
    return model.with_name(FILE)


def load_opinions(file: Path) -> dict[str, TopicOpinions]:
    """Return the opinions in a file, by topic; none if there is no file. Raise InputError if it is damaged."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, TopicOpinions])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as error:
        raise InputError(
            f"{file} cannot be read: {error}.", "Fetch the models again: thresher peers PORTAL use", ModelUnusable()
        ) from None


def hearing(classifier: HierarchicalClassifier, file: Path) -> "HierarchicalClassifier | HearingClassifier":
    """Return the classifier, combined with the opinions in a file on topics it knows, if there are any."""
    heard = {topic: found for topic, found in load_opinions(file).items() if classifier.child(topic) is not None}
    return HearingClassifier(classifier, heard) if heard else classifier

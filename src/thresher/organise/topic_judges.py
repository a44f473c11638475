"""Judges how certain it is that a page belongs to a topic, with the error on held-out training pages.

Confidences of different judges have different scales, so factors are compared: the confidence of a page divided by the
mean confidence of the topic's held-out training pages. The error curve is over factors.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.classify.background import background, is_background
from thresher.classify.examples import Family, families
from thresher.classify.examples_file import TrainingSet, load_training_set
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.opinions import Panel, load_opinions, opinions_file
from thresher.classify.restraint import fit_restrained
from thresher.learn.error_curve import ErrorCurve
from thresher.learn.meta_classifier import MetaClassifier
from thresher.learn.tfidf import TfIdf
from thresher.models import load_classifier, used_model
from thresher.organise.topic_pages import TopicPage
from thresher.store.model_files import model_path
from thresher.store.protocol import Store
from thresher.web.urls import site_of

Floats = NDArray[np.float64]
Bags = Sequence[Mapping[str, int]]


class TopicJudge(Protocol):
    """Judges pages against one topic.

    `curve` is the error over factors among the held-out training pages accepted by the topic; None if it is unknown
    because there are no training pages of other topics.
    """

    curve: ErrorCurve | None

    def factors(self, pages: Sequence[TopicPage], bags: Bags) -> Floats:
        """Return the confidence of each page as a multiple of the mean confidence of the topic's training pages."""


class HeldOut(Struct, frozen=True, eq=False):
    """Held-out training pages of a family: the confidences for each child, and which child each page belongs to."""

    confidences: Floats
    members: NDArray[np.bool_]
    children: list[str]
    bags: Bags


def held_out_families(training: TrainingSet, classifier: HierarchicalClassifier) -> dict[str, HeldOut]:
    """Return for each topic with children the confidences of held-out training pages.

    Classifiers are refitted in five folds, or leave-one-out if the smallest topic has fewer pages. Archetypes and the
    background are used for training as usual but are not judged.
    """
    given = training.all()
    found = families([*given, *((page, None) for page in background(page for page, _ in given))])
    held_out = {}
    for family in found:
        taught = (family.places >= len(training.examples)) & (family.places < len(given))
        fitted = fit_restrained(family, classifier.parameters, taught)
        asked = ~taught & ~_of_background(family)
        bags = [family.pages[row].terms for row in np.flatnonzero(asked).tolist()]
        held_out[family.parent] = HeldOut(fitted.held_out[asked], family.members[asked], family.children, bags)
    return held_out


class TreeJudge:
    """Judges with the portal's own classifier, and the opinions of peers if there are any."""

    def __init__(
        self, classifier: HierarchicalClassifier, topic: str, held_out: HeldOut | None, panel: Panel | None = None
    ) -> None:
        parent, _, name = topic.rpartition("/")
        self._family = classifier.families_[parent]
        self._child = [child.name for child in self._family.children].index(name)
        self._mean = self._family.children[self._child].mean_confidence
        self._panel = panel
        self.curve = _curve(held_out, name, panel) if held_out else None

    def factors(self, pages: Sequence[TopicPage], bags: Bags) -> Floats:
        """Return the confidence of each page as a multiple of the mean confidence of the topic's training pages."""
        said = [
            float(self._family.judge(self._family.known(bag), site_of(page.url)).confidences[self._child])
            for page, bag in zip(pages, bags, strict=True)
        ]
        return _heard(np.array(said, np.float64) / _unit(self._mean), bags, self._panel)


class MetaJudge:
    """Judges by a vote of several classifiers, trained on the pages of the topic and its siblings.

    Opinions of peers also count, if there are any.
    """

    def __init__(self, family: Family, name: str, panel: Panel | None = None) -> None:
        labels = family.members[:, family.children.index(name)]
        bags = [page.terms for page in family.pages]
        self._weighing = TfIdf(min_bags=1 if len(bags) < 20 else 2).fit(bags)
        self._meta = MetaClassifier().fit(self._weighing.transform(bags), labels)
        self._mean = float(self._meta.held_out_[labels].mean())
        asked = ~_of_background(family)
        known = bool((asked & ~labels).any())
        self._panel = panel
        factors = _heard(self._meta.held_out_ / _unit(self._mean), bags, panel)
        taken = asked & (factors > 0)
        self.curve = ErrorCurve(factors[taken], labels[taken]) if known else None

    def factors(self, pages: Sequence[TopicPage], bags: Bags) -> Floats:
        """Return the confidence of each page as a multiple of the mean confidence of the topic's training pages."""
        if not pages:
            return np.zeros(0)
        own = self._meta.margins(self._weighing.transform(bags)) / _unit(self._mean)
        return _heard(own, bags, self._panel)


def portal_judges(portal: Path, store: Store, *, together: bool = False) -> Callable[[str], TopicJudge | None]:
    """Return a function that creates the judge of a topic: the portal's classifier, or several classifiers `together`.

    It returns None for an untrained topic. Raises InputError if the portal was never trained. Opinions of peers that
    are in use also count.
    """
    classifier = load_classifier(portal, store)
    file = Path(model_path(portal, used_model(portal, store).file))
    training = load_training_set(file)
    panels = {topic: Panel(heard) for topic, heard in load_opinions(opinions_file(file)).items()}
    if together:
        return lambda topic: meta_judge(training, topic, panels.get(topic))
    held_out = held_out_families(training, classifier)

    def judge_of(topic: str) -> TopicJudge | None:
        known = classifier.child(topic) is not None
        family = held_out.get(topic.rpartition("/")[0])
        return TreeJudge(classifier, topic, family, panels.get(topic)) if known else None

    return judge_of


def meta_judge(training: TrainingSet, topic: str, panel: Panel | None = None) -> MetaJudge | None:
    """Return a judge with several classifiers for a topic, or None if there are no training pages."""
    given = training.all()
    found = families([*given, *((page, None) for page in background(page for page, _ in given))])
    parent, _, name = topic.rpartition("/")
    family = next((one for one in found if one.parent == parent and name in one.children), None)
    if family is None:
        return None
    labels = family.members[:, family.children.index(name)]
    return MetaJudge(family, name, panel) if labels.any() and not labels.all() else None


def _heard(factors: Floats, bags: Bags, panel: Panel | None) -> Floats:
    return factors if panel is None else panel.factors(factors, bags)


def _curve(held_out: HeldOut, name: str, panel: Panel | None) -> ErrorCurve | None:
    """Return the error over factors of the pages that a child accepted as the most confident of its family."""
    if name not in held_out.children:
        return None
    child = held_out.children.index(name)
    own = held_out.members[:, child]
    if own.all() or not own.any():
        return None
    confidences = held_out.confidences[:, child]
    factors = _heard(confidences / _unit(float(confidences[own].mean())), held_out.bags, panel)
    taken = (held_out.confidences.argmax(axis=1) == child) & (factors > 0)
    return ErrorCurve(factors[taken], own[taken])


def _of_background(family: Family) -> NDArray[np.bool_]:
    return np.array([is_background(page) for page in family.pages], np.bool_)


def _unit(mean: float) -> float:
    """Return the divisor for confidences; 1 if the mean is not usable."""
    return mean if mean > 1e-6 else 1.0

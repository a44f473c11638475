"""What says how sure it is that a page belongs to a topic, and how often it is wrong about held-out training pages.

Confidences have units of their own. What is comparable is a factor: the confidence of a page divided by the mean
confidence of the topic's training pages while they were held out. The error curve is one over factors.
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

    `curve` is the error over factors among held-out training pages that the topic took, None where it cannot be known:
    without training pages of anything else there is nothing to be mistaken for.
    """

    curve: ErrorCurve | None

    def factors(self, pages: Sequence[TopicPage], bags: Bags) -> Floats:
        """Return how sure it is of each page, as a multiple of how sure it is of the topic's training pages."""


class HeldOut(Struct, frozen=True, eq=False):
    """Training pages of a family while they were held out: confidences for each child, and who belongs to which."""

    confidences: Floats
    members: NDArray[np.bool_]
    children: list[str]
    bags: Bags


def held_out_families(training: TrainingSet, classifier: HierarchicalClassifier) -> dict[str, HeldOut]:
    """Return for each topic with children what its classifier says of training pages that it has not seen.

    Classifiers are fitted anew for this, in five folds, or in as many as the smallest topic has pages, which is leaving
    one out. Archetypes teach as they did, and are not asked; nor is the background, which is about nothing.
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
    """Judges by the portal's own classifier, and hears the opinions of peers if there are any."""

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
        """Return how sure it is of each page, as a multiple of how sure it is of the topic's training pages."""
        said = [
            float(self._family.judge(self._family.known(bag), site_of(page.url)).confidences[self._child])
            for page, bag in zip(pages, bags, strict=True)
        ]
        return _heard(np.array(said, np.float64) / _unit(self._mean), bags, self._panel)


class MetaJudge:
    """Judges by several classifiers together, trained on the pages of the topic and of its siblings.

    Opinions of peers are heard beside them if there are any.
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
        """Return how sure it is of each page, as a multiple of how sure it is of the topic's training pages."""
        if not pages:
            return np.zeros(0)
        own = self._meta.margins(self._weighing.transform(bags)) / _unit(self._mean)
        return _heard(own, bags, self._panel)


def portal_judges(portal: Path, store: Store, *, together: bool = False) -> Callable[[str], TopicJudge | None]:
    """Return what judges the pages of a portal against a topic: its classifier, or several classifiers `together`.

    It returns None for a topic that nothing was trained for. Raises InputError where the portal was never trained.
    Opinions of peers that are in use are heard, too.
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
    """Return the judge of several classifiers for a topic; None where nothing teaches it."""
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
    """Return the error over factors of the pages that a child took, being the most confident of its family."""
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
    """Return what confidences are divided by; one that says nothing leaves them as they are."""
    return mean if mean > 1e-6 else 1.0

"""A round of retraining: archetypes join the training pages, and the topics must not be the worse for it.

Quality before and after is measured on the pages that a person gave, each judged while it was held out; archetypes
teach and are never asked. Where those pages are judged significantly worse than before, the round is rolled back.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from thresher.classify.examples import Examples
from thresher.classify.examples_file import TrainingSet
from thresher.classify.family_model import Child, FamilyModel
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.learn.paired_change import PairedChange, paired_change
from thresher.types import Page

WORDS: Final = 8
"""New telling words that are named of each topic."""


class TopicChange(Struct, frozen=True):
    """What a round did to a topic.

    `f_before` and `f_after` are its F on a person's pages, None where there is none. How far its feature space has
    moved: `space_moved` is the share of the stems in the space before or after that are in only one of them, 0 to 1
    (a topic shares its space with its siblings); `moved` is the share of its own most telling stems, 50 at most, that
    were not among them before, and `new_words` the best of these as people wrote them.
    """

    topic: str
    archetypes: int
    f_before: float | None
    f_after: float | None
    space_moved: float
    moved: float
    new_words: list[str]


class Round(Struct, frozen=True):
    """What a round of retraining did; `kept` is false where it was rolled back, and `message` says why."""

    kept: bool
    message: str
    archetypes: int
    pages: int
    change: PairedChange
    topics: list[TopicChange]

    def as_data(self) -> dict[str, Any]:
        """Return the round as JSON data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


class Retrained(Struct, frozen=True):
    """The classifier after a round, what it was fitted to, and how it went."""

    classifier: HierarchicalClassifier
    training_set: TrainingSet
    round: Round


def retrain(
    before: HierarchicalClassifier,
    training_set: TrainingSet,
    archetypes: Examples,
    alpha: float = 0.05,
    met: Sequence[Page] = (),
) -> Retrained:
    """Fit a classifier like another to its training pages and to archetypes, which replace earlier ones.

    `alpha` is the level of significance at which a round counts as harmful; `met` are pages of no label. Where it is
    not known how well the pages were judged before, the classifier before is fitted again to find out.
    """
    rights = training_set.right
    if len(rights) != len(training_set.examples):
        alike = HierarchicalClassifier(before.parameters, before.rules)
        rights = alike.fit(training_set.examples, before.wishes_, training_set.archetypes, met).right_
    after = HierarchicalClassifier(before.parameters, before.rules)
    after.fit(training_set.examples, before.wishes_, archetypes, met)
    change = paired_change(rights, after.right_)
    kept = not (change.lost > change.won and change.p_value < alpha)
    found = Round(
        kept=kept,
        message="" if kept else _why(change, len(training_set.examples)),
        archetypes=len(archetypes),
        pages=len(training_set.examples),
        change=change,
        topics=topic_changes(before, after, archetypes),
    )
    return Retrained(after, TrainingSet(training_set.examples, list(archetypes), after.right_), found)


def topic_changes(
    before: HierarchicalClassifier, after: HierarchicalClassifier, archetypes: Examples
) -> list[TopicChange]:
    """Return what a round did to each topic, in the order of their paths."""
    taught: dict[str, int] = {}
    for _, label in archetypes:
        taught[label or ""] = taught.get(label or "", 0) + 1
    topics = sorted(
        f"{parent}/{child.name}" if parent else child.name
        for parent, family in after.families_.items()
        for child in family.children
    )
    spaces = {parent: _moved(before.families_.get(parent), family) for parent, family in after.families_.items()}
    return [
        _topic(
            topic,
            taught.get(topic, 0),
            before.child(topic),
            after.child(topic),
            spaces[topic.rpartition("/")[0]],
            after,
        )
        for topic in topics
    ]


def _moved(before: FamilyModel | None, after: FamilyModel) -> float:
    """Return how far the feature space of a family has moved; all the way where there was none."""
    had, now = set(before.terms if before else ()), set(after.terms)
    return len(had ^ now) / max(1, len(had | now))


def _topic(
    topic: str,
    archetypes: int,
    before: Child | None,
    after: Child | None,
    space_moved: float,
    classifier: HierarchicalClassifier,
) -> TopicChange:
    had = {feature.stem for feature in before.telling} if before else set()
    now = [feature.stem for feature in after.telling] if after else []
    new = [stem for stem in now if stem not in had]
    return TopicChange(
        topic=topic,
        archetypes=archetypes,
        f_before=before.quality.f if before else None,
        f_after=after.quality.f if after else None,
        space_moved=space_moved,
        moved=len(new) / len(now) if now else 0.0,
        new_words=_words(new[:WORDS], classifier),
    )


def _words(stems: Sequence[str], classifier: HierarchicalClassifier) -> list[str]:
    return [classifier.written_.get(stem, stem) for stem in stems]


def _why(change: PairedChange, pages: int) -> str:
    return (
        f"{change.lost} of the {pages} pages of the first training were judged rightly before and wrongly after it, "
        f"{change.won} the other way round; the classifier before it stays in use."
    )

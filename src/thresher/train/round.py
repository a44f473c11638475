"""A round of retraining, decided topic by topic: archetypes are used only if they do no harm.

With a handful of pages, no test can tell harm from chance, so a topic accepts its new archetypes only if everything
agrees: they come from more than one host if the topic does, both halves of them teach the same, and none of the
person's pages is lost when held out. A topic that fails keeps its earlier archetypes. All archetypes teach one feature
space.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from thresher.classify.examples import Examples
from thresher.classify.examples_file import TrainingSet
from thresher.classify.folds import site_of
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.reasons import Unkept
from thresher.train.agreement import Labelled, TopicAgreement, agreements, host_halves
from thresher.train.round_report import Round, change, moves, topic_changes
from thresher.types import ParsedPage

AGREE: Final = 0.8
"""Share of the pages accepted by either half of the archetypes that both must accept."""

FEWEST: Final = 5
"""Minimum number of accepted pages for the halves to be compared."""


class Retrained(Struct, frozen=True):
    """The classifier after a round, its training set, and the report."""

    classifier: HierarchicalClassifier
    training_set: TrainingSet
    round: Round


class Teaching(Struct, frozen=True):
    """Pages that may teach besides a person's own: `proposed` by a round, or `accepted` by a person.

    Accepted pages always teach. `earlier` are the archetypes of the previous model; they teach if their topic gets no
    new ones.
    """

    proposed: Examples = ()
    accepted: Examples = ()
    earlier: Examples = ()

    def joined(self, topics: set[str]) -> Labelled:
        """Return the pages that teach if the given topics accept their proposals; each page once per topic."""
        found: Labelled = [*self.accepted]
        found += [(page, label) for page, label in self.proposed if label in topics]
        found += [(page, label) for page, label in self.earlier if label not in topics]
        return list({(page.url, label): (page, label) for page, label in reversed(found)}.values())[::-1]


def retrain(
    before: HierarchicalClassifier,
    alone: HierarchicalClassifier,
    examples: Examples,
    teaching: Teaching,
    met: Sequence[ParsedPage] = (),
) -> Retrained:
    """Run a round: fit a classifier to a person's pages and to the archetypes that do no harm.

    `before` is the classifier in use, `alone` the one taught only by the person's pages, with the current wishes, and
    `met` are unlabelled pages, which may include archetypes.
    """
    topics = sorted({label for _, label in teaching.proposed if label is not None})
    agreed = _agreements(alone, examples, teaching, met, topics)
    unkept = {topic: why for topic in topics if (why := _doubt(alone, teaching, met, topic, agreed[topic])) is not None}
    after, archetypes = without_loss(alone, examples, teaching, met, set(topics), unkept)
    found = Round(
        kept=len(unkept) < len(topics) or not topics,
        archetypes=len(archetypes),
        pages=len(examples),
        change=change(alone.right_, after.right_),
        topics=topic_changes(before, after, archetypes, unkept, agreed),
        moves=moves(before, after, met),
        looked_at=len(met),
    )
    return Retrained(after, TrainingSet(list(examples), archetypes, after.right_), found)


def fit_with(
    alone: HierarchicalClassifier, examples: Examples, archetypes: Examples, met: Sequence[ParsedPage]
) -> HierarchicalClassifier:
    """Return a classifier like another that archetypes also taught; these no longer count as unlabelled pages."""
    taken = {page.url for page, _ in archetypes}
    rest = [page for page in met if page.url not in taken]
    return alone.unfitted().fit(examples, alone.wishes_, archetypes, rest)


def topics_that_lose(
    examples: Examples, before: HierarchicalClassifier, after: HierarchicalClassifier
) -> set[str | None]:
    """Return the topics of a person's pages that were judged correctly while held out and no longer are."""
    rows = zip(examples, before.right_, after.right_, strict=True)
    return {label for (_, label), was, now in rows if was and not now}


def _agreements(
    alone: HierarchicalClassifier,
    examples: Examples,
    teaching: Teaching,
    met: Sequence[ParsedPage],
    topics: Sequence[str],
) -> dict[str, TopicAgreement]:
    """Return how far the halves of the proposals agree on the unlabelled pages."""
    if not topics:
        return {}
    one, other = (
        fit_with(alone, examples, [*half, *teaching.accepted], met) for half in host_halves(teaching.proposed)
    )
    return agreements(one, other, met, topics)


def _doubt(
    alone: HierarchicalClassifier, teaching: Teaching, met: Sequence[ParsedPage], topic: str, agreed: TopicAgreement
) -> Unkept | None:
    """Return why the archetypes proposed for a topic are not trusted, or None if they are."""
    hosts = {site_of(page) for page, label in teaching.proposed if label == topic}
    if len(hosts) == 1 and len({site_of(page) for page in met if alone.classify(page).topic == topic}) > 1:
        return Unkept.ONE_HOST
    if agreed.either < FEWEST:
        return Unkept.TOO_FEW_PAGES
    return None if agreed.share >= AGREE else Unkept.HALVES_DISAGREE


def without_loss(
    alone: HierarchicalClassifier,
    examples: Examples,
    teaching: Teaching,
    met: Sequence[ParsedPage],
    topics: set[str] | None = None,
    unkept: dict[str, Unkept] | None = None,
) -> tuple[HierarchicalClassifier, Labelled]:
    """Return a classifier that loses none of the person's pages while held out, and the archetypes that taught it.

    `topics` are those with proposals; topics among them that lose a page are added to `unkept`. Earlier archetypes that
    now do harm no longer teach; archetypes that a person accepted always do.
    """
    wanted, out, harmful = topics or set(), {} if unkept is None else unkept, set[str]()
    while True:
        left = wanted - set(out)
        archetypes = [one for one in teaching.joined(left) if one in teaching.accepted or one[1] not in harmful]
        after = fit_with(alone, examples, archetypes, met) if archetypes else alone
        lost = topics_that_lose(examples, alone, after)
        taught = {label for _, label in archetypes if label is not None}
        if not lost or all(one in teaching.accepted for one in archetypes):
            return after, archetypes
        own = {topic for topic in left or taught if any(_concerns(topic, label) for label in lost)}
        if left:
            out.update(dict.fromkeys(own or left, Unkept.PAGE_LOST if own else Unkept.SIBLING_PAGE_LOST))
        else:
            harmful |= (own - harmful) or taught


def _concerns(topic: str, label: str | None) -> bool:
    """Return whether a page with a label belongs to a topic, or to one below or above it."""
    return label is not None and (f"{label}/".startswith(f"{topic}/") or f"{topic}/".startswith(f"{label}/"))


def taught_by_topic(archetypes: Examples) -> Mapping[str, int]:
    """Return the number of archetypes of each topic, in topic order."""
    found: dict[str, int] = {}
    for label in sorted(label for _, label in archetypes if label is not None):
        found[label] = found.get(label, 0) + 1
    return found

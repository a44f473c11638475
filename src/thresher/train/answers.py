"""Learns from review answers about other pages, with an estimate on held-out answers.

The classifier without answers is adapted to them. Every answer is judged by a classifier that learned only from the
others, so the estimate is honest. Without a clear gain, answers teach nothing, and neither do those about a topic that
gets worse. Links are scored by the classifier without answers.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from thresher.classify.adaptation import adapted
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.learn.tfidf import log_count
from thresher.train.agreement import Labelled
from thresher.types import Judgement, ParsedPage
from thresher.work_steps import OnStep, StepProgress, WorkStep, nobody

FOLDS: Final = 10
"""Number of parts into which answers are split; each part is judged by what the others teach."""

FEWEST: Final = 5
"""Number of answers below which nothing is learned from them."""

VERY_SURE: Final = 0.95
"""Minimum probability at which a classifier that contradicts an answer makes it worth asking again."""

ALIKE: Final = 0.9
"""Minimum cosine of two pages that are so similar that they belong to one topic."""

AT_ONCE: Final = 200
"""Number of pages compared with all others at a time."""


class Answer(Struct, frozen=True):
    """A page that a person decided about: its topic, None for none, and the topic under or near which it was shown."""

    page: ParsedPage
    label: str | None
    asked: str


class TopicEffect(Struct, frozen=True):
    """How many answers about a topic were judged correctly without the answers, and are with the others."""

    topic: str
    answers: int
    before: int
    after: int
    teaches: bool


class Learnt(Struct, frozen=True):
    """What answers taught; `judge` is the adapted classifier, None if nothing helps.

    `before` and `after` count the answers judged correctly by classifiers that had not seen them. `teaching` are the
    indexes of answers that taught, `again` those of answers that contradict others, or a classifier that is very sure.
    """

    judge: HierarchicalClassifier | None
    topics: list[TopicEffect]
    answers: int
    before: int
    after: int
    teaching: list[int]
    again: list[int]


def learn_from(answers: Sequence[Answer], base: HierarchicalClassifier, on_step: OnStep = nobody) -> Learnt:
    """Return what answers teach a classifier that has learned from none of them."""
    before = [base.classify(answer.page) for answer in answers]
    after = _held_out(answers, base, on_step) if len(answers) >= FEWEST else before
    effects = _effects(answers, before, after)
    helped = {effect.topic for effect in effects if effect.teaches}
    teaching = [place for place, answer in enumerate(answers) if answer.asked in helped]
    on_step(StepProgress(WorkStep.LEARNING))
    return Learnt(
        judge=adapted(base, labelled(answers[place] for place in teaching)) if teaching else None,
        topics=effects,
        answers=len(answers),
        before=_right(answers, before),
        after=_right(answers, after),
        teaching=teaching,
        again=contradictions(answers, after),
    )


def labelled(answers: Iterable[Answer]) -> Labelled:
    """Return the pages of answers with their topics, None for no topic."""
    return [(answer.page, answer.label) for answer in answers]


def _held_out(answers: Sequence[Answer], base: HierarchicalClassifier, on_step: OnStep) -> list[Judgement]:
    """Return the judgement of each answer's page by a classifier that learned from the other folds."""
    found = dict[int, Judgement]()
    folds = min(FOLDS, len(answers))
    for fold in range(folds):
        on_step(StepProgress(WorkStep.ESTIMATING, fold, folds))
        judge = adapted(base, labelled(answer for place, answer in enumerate(answers) if place % folds != fold))
        found |= {place: judge.classify(answers[place].page) for place in range(fold, len(answers), folds)}
    return [found[place] for place in range(len(answers))]


def _right(answers: Sequence[Answer], judged: Sequence[Judgement]) -> int:
    return sum(answer.label == found.topic for answer, found in zip(answers, judged, strict=True))


def _effects(answers: Sequence[Answer], before: Sequence[Judgement], after: Sequence[Judgement]) -> list[TopicEffect]:
    """Return the effect on the answers about each topic; without a clear gain overall, no topic teaches."""
    helps = _is_clear(answers, before, after)
    found: list[TopicEffect] = []
    for topic in sorted({answer.asked for answer in answers}):
        places = [place for place, answer in enumerate(answers) if answer.asked == topic]
        was = sum(before[place].topic == answers[place].label for place in places)
        now = sum(after[place].topic == answers[place].label for place in places)
        found.append(TopicEffect(topic, len(places), was, now, helps and now >= was))
    return found


def _is_clear(answers: Sequence[Answer], before: Sequence[Judgement], after: Sequence[Judgement]) -> bool:
    """Return whether the gain exceeds its standard error, so that it is more than a lucky answer or two."""
    changed = [
        (found.topic == answer.label) - (was.topic == answer.label)
        for answer, was, found in zip(answers, before, after, strict=True)
    ]
    gain, spread = sum(changed), sum(map(abs, changed))
    return gain > 0 and gain**2 > spread


def contradictions(answers: Sequence[Answer], judged: Sequence[Judgement]) -> list[int]:
    """Return the indexes of answers that are worth asking again.

    These are answers about similar pages that got different topics, and answers that a classifier which has not seen
    them contradicts with great confidence.
    """
    found = {
        place
        for place, (answer, said) in enumerate(zip(answers, judged, strict=True))
        if said.topic is not None and said.topic != answer.label and said.probability >= VERY_SURE
    }
    for one, other in _alike([answer.page for answer in answers]):
        if answers[one].label != answers[other].label:
            found |= {one, other}
    return sorted(found)


def _alike(pages: Sequence[ParsedPage]) -> Iterator[tuple[int, int]]:
    """Yield the indexes of each pair of pages with very similar stems, the earlier one first."""
    from scipy.sparse import csr_matrix

    places: dict[str, int] = {}
    starts, columns, values = [0], [], []
    for page in pages:
        weights = np.array([log_count(count) for count in page.terms.values()])
        columns += [places.setdefault(stem, len(places)) for stem in page.terms]
        values += (weights / (np.linalg.norm(weights) or 1.0)).tolist()
        starts.append(len(columns))
    shape = (len(pages), len(places))
    rows = csr_matrix((np.array(values), np.array(columns, int), np.array(starts, int)), shape)
    # A few pages at a time against all, since most pages share some stem.
    for start in range(0, len(pages), AT_ONCE):
        found = (rows[start : start + AT_ONCE] @ rows.T).tocoo()
        near = found.data >= ALIKE
        pairs = zip((found.row[near] + start).tolist(), found.col[near].tolist(), strict=True)
        yield from ((one, other) for one, other in pairs if one < other)

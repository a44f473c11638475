"""What a person's answers teach about other pages: learned with care, and estimated on answers that did not teach.

A page that belongs becomes an example of its topic. One that does not only teaches how to judge pages, not how to score
links. Every answer is judged by a classifier that has learned from the others alone, so that the estimate is an honest
one; a topic whose answers make things worse teaches nothing.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.train.agreement import Labelled
from thresher.train.judging import fit_judge
from thresher.train.round import fit_with, topics_that_lose
from thresher.types import Judgement, Page

FOLDS: Final = 4
"""Parts into which answers are dealt; each part is judged by what the others teach."""

FEWEST: Final = 5
"""Answers below which nothing is learned from them."""

VERY_SURE: Final = 0.95
"""Probability from which a classifier that contradicts an answer makes it worth asking again."""

ALIKE: Final = 0.9
"""Cosine from which two pages are so much alike that they belong to one topic."""


class Answer(Struct, frozen=True):
    """A page that a person has decided about: its topic, None for none, and the one it was shown under or near."""

    page: Page
    label: str | None
    asked: str


class TopicEffect(Struct, frozen=True):
    """How many of the answers about a topic were judged rightly without the answers, and are with the others."""

    topic: str
    answers: int
    before: int
    after: int
    teaches: bool


class Learnt(Struct, frozen=True):
    """What answers taught; `judge` judges pages and `pricing` scores links, both None if nothing helps.

    `training_set` is what `pricing` was fitted to, `refused` are the pages that only `judge` learned from. `before` and
    `after` count the answers judged rightly by classifiers that had not seen them. `again` are the places of answers
    that contradict others, or a classifier that is very sure.
    """

    pricing: HierarchicalClassifier | None
    judge: HierarchicalClassifier | None
    training_set: TrainingSet
    refused: Labelled
    topics: list[TopicEffect]
    answers: int
    before: int
    after: int
    again: list[int]


def learn_from(
    answers: Sequence[Answer], used: HierarchicalClassifier, training_set: TrainingSet, met: Sequence[Page]
) -> Learnt:
    """Return what answers teach beside a training set; `used` is the classifier in use, `met` are unlabelled pages."""
    decided = {answer.page.url for answer in answers}
    earlier = [one for one in training_set.archetypes if one[0].url not in decided]
    known = TrainingSet(training_set.examples, earlier)
    rest = [page for page in met if page.url not in decided]
    plain = fit_with(used, known.examples, earlier, rest)
    before = [plain.classify(answer.page) for answer in answers]
    after = _held_out(answers, plain, known, rest) if len(answers) >= FEWEST else before
    effects = _effects(answers, before, after)
    teaching = {effect.topic for effect in effects if effect.teaches}
    pricing, judge, taught, refused = None, None, known, Labelled()
    if teaching:
        pricing, taught, refused = _fitted([one for one in answers if one.asked in teaching], plain, known, rest)
        judge = fit_judge(pricing, taught, refused, rest) if refused else pricing
    return Learnt(
        pricing=pricing,
        judge=judge,
        training_set=taught,
        refused=refused,
        topics=effects,
        answers=len(answers),
        before=_right(answers, before),
        after=_right(answers, after),
        again=contradictions(answers, after),
    )


def _held_out(
    answers: Sequence[Answer], plain: HierarchicalClassifier, known: TrainingSet, met: list[Page]
) -> list[Judgement]:
    """Return the judgement of each answer's page by a classifier that has learned from the answers of other folds."""
    found: dict[int, Judgement] = {}
    folds = min(FOLDS, len(answers))
    for fold in range(folds):
        others = [answer for place, answer in enumerate(answers) if place % folds != fold]
        yes, no = _sorted_out(others)
        taught = TrainingSet(known.examples, [*known.archetypes, *yes])
        judge = fit_judge(plain, taught, no, met)
        found |= {place: judge.classify(answers[place].page) for place in range(fold, len(answers), folds)}
    return [found[place] for place in range(len(answers))]


def _fitted(
    answers: Sequence[Answer], plain: HierarchicalClassifier, known: TrainingSet, met: list[Page]
) -> tuple[HierarchicalClassifier, TrainingSet, Labelled]:
    """Return a classifier taught by answers that loses none of the person's own pages, and what it was fitted to."""
    yes, refused = _sorted_out(answers)
    while True:
        archetypes = [*known.archetypes, *yes]
        pricing = fit_with(plain, known.examples, archetypes, met)
        lost = topics_that_lose(known.examples, plain, pricing)
        kept = [one for one in yes if one[1] not in lost]
        if len(kept) == len(yes):
            return pricing, TrainingSet(known.examples, archetypes, pricing.right_), refused
        yes = kept


def _sorted_out(answers: Sequence[Answer]) -> tuple[Labelled, Labelled]:
    """Return the pages that belong to a topic, and those that belong to none."""
    yes: Labelled = [(answer.page, answer.label) for answer in answers if answer.label is not None]
    no: Labelled = [(answer.page, None) for answer in answers if answer.label is None]
    return yes, no


def _right(answers: Sequence[Answer], judged: Sequence[Judgement]) -> int:
    return sum(answer.label == found.topic for answer, found in zip(answers, judged, strict=True))


def _effects(answers: Sequence[Answer], before: Sequence[Judgement], after: Sequence[Judgement]) -> list[TopicEffect]:
    """Return the effect on the answers about each topic; where the sum is no gain, no topic teaches."""
    gain = _right(answers, after) - _right(answers, before)
    found: list[TopicEffect] = []
    for topic in sorted({answer.asked for answer in answers}):
        places = [place for place, answer in enumerate(answers) if answer.asked == topic]
        was = sum(before[place].topic == answers[place].label for place in places)
        now = sum(after[place].topic == answers[place].label for place in places)
        found.append(TopicEffect(topic, len(places), was, now, gain > 0 and now >= was))
    return found


def contradictions(answers: Sequence[Answer], judged: Sequence[Judgement]) -> list[int]:
    """Return the places of answers that are worth asking again.

    These are answers about pages that are much alike and got different topics, and answers that a classifier which has
    not seen them contradicts very surely.
    """
    found = {
        place
        for place, (answer, said) in enumerate(zip(answers, judged, strict=True))
        if said.topic is not None and said.topic != answer.label and said.probability >= VERY_SURE
    }
    alike = _cosines([answer.page for answer in answers]) >= ALIKE
    for one, other in zip(*np.nonzero(np.triu(alike, 1)), strict=True):
        if answers[one].label != answers[other].label:
            found |= {int(one), int(other)}
    return sorted(found)


def _cosines(pages: Sequence[Page]) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Return how alike each two pages are, by the stems they have."""
    places = {stem: place for place, stem in enumerate(sorted({stem for page in pages for stem in page.terms}))}
    rows = np.zeros((len(pages), len(places)))
    for row, page in zip(rows, pages, strict=True):
        for stem, count in page.terms.items():
            row[places[stem]] = 1.0 + np.log(count)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.where(lengths > 0, lengths, 1.0)
    return rows @ rows.T

"""Learns from review answers about other pages, with an estimate on held-out answers.

A page that belongs becomes an example of its topic. One that does not belong may teach how to judge pages, if that
helps, but not how to score links. Every answer is judged by a classifier that learned only from the others, so the
estimate is honest, and the classifier in use stays unless the new one is better; a topic whose answers make things
worse teaches nothing.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.learn.tfidf import log_count
from thresher.train.agreement import Labelled
from thresher.train.judging import fit_judge
from thresher.train.round import fit_with, topics_that_lose
from thresher.types import Judgement, Page
from thresher.work_steps import OnStep, StepTold, WorkStep, nobody

FOLDS: Final = 4
"""Number of parts into which answers are split; each part is judged by what the others teach."""

FEWEST: Final = 5
"""Number of answers below which nothing is learned from them."""

VERY_SURE: Final = 0.95
"""Minimum probability at which a classifier that contradicts an answer makes it worth asking again."""

ALIKE: Final = 0.9
"""Minimum cosine of two pages that are so similar that they belong to one topic."""

AT_ONCE: Final = 200
"""Number of pages compared with all others at a time."""

SURE: Final = 0.8
"""Minimum probability of a page that nobody was asked about to be a witness for its topic."""

STAY: Final = 0.9
"""Share of a topic's witnesses that must stay where they are.

People are asked about doubtful pages, most of which do not belong. A classifier that accepts hardly any page is right
about those, and the answers alone cannot show it.
"""


SAME: Final = 0.95
"""Share of unlabelled pages on which two classifiers must agree to count as fitted in the same way."""


class Answer(Struct, frozen=True):
    """A page that a person decided about: its topic, None for none, and the topic under or near which it was shown."""

    page: Page
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
    """What answers taught; `judge` judges pages and `pricing` scores links, both None if nothing helps.

    `training_set` is what `pricing` was fitted to, `refused` are the pages that only `judge` learned from. `before` and
    `after` count the answers judged correctly by classifiers that had not seen them. `again` are the indexes of answers
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
    answers: Sequence[Answer],
    used: HierarchicalClassifier,
    training_set: TrainingSet,
    met: Sequence[Page],
    on_step: OnStep = nobody,
) -> Learnt:
    """Return what answers teach besides a training set; `used` is the classifier in use, `met` are unlabelled pages.

    The result must be better than the classifier in use, so it is compared with that; or, if that already learned from
    some of the answers, with one that has not seen them.
    """
    decided = {answer.page.url for answer in answers}
    known = TrainingSet(training_set.examples, [one for one in training_set.archetypes if one[0].url not in decided])
    rest = [page for page in met if page.url not in decided]
    on_step(StepTold(WorkStep.ESTIMATING, 0, 2 * FOLDS + 1))
    plain, beside = _like(used, known, rest)
    before_all = used if len(known.archetypes) == len(training_set.archetypes) else plain
    before = [before_all.classify(answer.page) for answer in answers]
    ways = _Ways(answers, plain, known, beside, on_step)
    after, with_refused = ways.best() if len(answers) >= FEWEST else (before, False)
    effects = _effects(answers, before, after)
    teaching = {effect.topic for effect in effects if effect.teaches}
    witnesses = _witnesses(before_all, rest)
    pricing, judge, taught, refused = None, None, known, Labelled()
    on_step(StepTold(WorkStep.LEARNING))
    while teaching:
        pricing, taught, refused = _fitted([one for one in answers if one.asked in teaching], plain, known, beside)
        refused = refused if with_refused else []
        judge = fit_judge(pricing, taught, refused, beside) if refused else pricing
        losing = topics_that_lose_witnesses(witnesses, judge)
        if not losing:
            break
        teaching = teaching - losing if teaching & losing else set()
        pricing, judge, taught, refused = None, None, known, Labelled()
    effects = [replace(effect, teaches=effect.topic in teaching) for effect in effects]
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


def _like(
    used: HierarchicalClassifier, known: TrainingSet, rest: list[Page]
) -> tuple[HierarchicalClassifier, list[Page]]:
    """Return a classifier fitted like the one in use, and the unlabelled pages that go with its examples.

    The first classifier of a portal has seen no unlabelled pages, later ones have, and the borders of topics depend on
    it. Whichever way gives nearly the same judgements is used, so that a change is due to the answers alone.
    """
    topics = [used.classify(page).topic for page in rest]

    def agreed(classifier: HierarchicalClassifier) -> int:
        return sum(classifier.classify(page).topic == topic for page, topic in zip(rest, topics, strict=True))

    beside = fit_with(used, known.examples, known.archetypes, rest)
    if agreed(beside) >= SAME * len(rest):
        return beside, rest
    alone = fit_with(used, known.examples, known.archetypes, [])
    return (alone, []) if agreed(alone) > agreed(beside) else (beside, rest)


class _Ways:
    """The ways to learn from answers: only from the pages that belong, or also from those that do not."""

    def __init__(
        self,
        answers: Sequence[Answer],
        plain: HierarchicalClassifier,
        known: TrainingSet,
        met: list[Page],
        on_step: OnStep,
    ) -> None:
        self._answers = answers
        self._plain = plain
        self._known = known
        self._met = met
        self._on_step = on_step
        self._done = 1

    def best(self) -> tuple[list[Judgement], bool]:
        """Return the judgements of the way that is right more often, and whether it also learns from refused pages."""
        alone = self._held_out(with_refused=False)
        refused = any(answer.label is None for answer in self._answers)
        if not refused or _right(self._answers, alone) == len(self._answers):
            return alone, False
        both = self._held_out(with_refused=True)
        better = _right(self._answers, both) > _right(self._answers, alone)
        return (both, True) if better else (alone, False)

    def _held_out(self, *, with_refused: bool) -> list[Judgement]:
        """Return the judgement of each answer's page by a classifier that learned from other folds."""
        answers, found = self._answers, dict[int, Judgement]()
        folds = min(FOLDS, len(answers))
        for fold in range(folds):
            yes, no = _sorted_out([answer for place, answer in enumerate(answers) if place % folds != fold])
            taught = TrainingSet(self._known.examples, [*self._known.archetypes, *yes])
            judge = fit_judge(self._plain, taught, no if with_refused else [], self._met)
            found |= {place: judge.classify(answers[place].page) for place in range(fold, len(answers), folds)}
            self._done += 1
            self._on_step(StepTold(WorkStep.ESTIMATING, self._done, 2 * FOLDS + 1))
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
    """Return the effect on the answers about each topic; without an overall gain, no topic teaches."""
    gain = _right(answers, after) - _right(answers, before)
    found: list[TopicEffect] = []
    for topic in sorted({answer.asked for answer in answers}):
        places = [place for place, answer in enumerate(answers) if answer.asked == topic]
        was = sum(before[place].topic == answers[place].label for place in places)
        now = sum(after[place].topic == answers[place].label for place in places)
        found.append(TopicEffect(topic, len(places), was, now, gain > 0 and now >= was))
    return found


def _witnesses(plain: HierarchicalClassifier, pages: Sequence[Page]) -> list[tuple[Page, str]]:
    """Return the pages a classifier is sure about, with their topics."""
    judged = [(page, plain.classify(page)) for page in pages]
    return [(page, found.topic) for page, found in judged if found.topic is not None and found.probability >= SURE]


def topics_that_lose_witnesses(witnesses: Sequence[tuple[Page, str]], judge: HierarchicalClassifier) -> set[str]:
    """Return the topics for which a classifier leaves too few witnesses in place."""
    had = Counter(topic for _, topic in witnesses)
    has = Counter(topic for page, topic in witnesses if judge.classify(page).topic == topic)
    return {topic for topic, number in had.items() if has[topic] < STAY * number}


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


def _alike(pages: Sequence[Page]) -> Iterator[tuple[int, int]]:
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

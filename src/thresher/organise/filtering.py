"""Filters topics: moves uncertain pages to the parent topic, or hides them if there is none.

(Sizov, section 3.2.) Topics are filtered from the leaves up, so pages dropped by a topic are judged again by its
parent. Only `apply_filter` changes anything.
"""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.errors import InputError
from thresher.learn.error_curve import ErrorEstimate
from thresher.learn.restrictive import most_certain
from thresher.organise.moving import moved_to, parent_of
from thresher.organise.topic_judges import TopicJudge
from thresher.organise.topic_pages import TopicPage, bags_of, pages_of
from thresher.store.organise_records import MISCELLANEOUS, StepKind, StepRow
from thresher.store.protocol import Store
from thresher.taxonomy.topic_tree import Path, parsed, written
from thresher.work_faults import NothingToFilter
from thresher.work_steps import OnStep, StepProgress, WorkStep, nobody

Floats = NDArray[np.float64]
UNKNOWN = ErrorEstimate(None, (0.0, 1.0), 0)


class FilterOptions(Struct, frozen=True, kw_only=True):
    """How strict a filter is; exactly one option is set.

    `loss` is the share of pages a topic drops, `factor` the minimum confidence as a multiple of the training pages',
    and `error` the maximum estimated share of wrong pages among those kept.
    """

    loss: float | None = None
    factor: float | None = None
    error: float | None = None


class TopicFiltered(Struct, frozen=True, kw_only=True):
    """What a filter does to one topic: how many pages stay and how many move, and the estimated errors.

    `factor` is the lowest one kept, or None if no page is kept; `unreached` means that no factor reaches the requested
    error and the topic is left unchanged.
    """

    topic: str
    kept: int
    moved: int
    factor: float | None
    error: ErrorEstimate
    error_before: ErrorEstimate
    unreached: bool = False

    @property
    def loss(self) -> float:
        """The share of pages that move."""
        return self.moved / (self.kept + self.moved) if self.kept + self.moved else 0.0


class Filtering(Struct, frozen=True, kw_only=True):
    """A proposed filter: what it does to each topic, deepest first, and where each moved page ends up.

    `pages` is the number of pages considered; `untrained` are topics that the classifier does not know.
    """

    topics: list[TopicFiltered]
    moves: dict[int, Path]
    pages: int
    untrained: list[str]

    @property
    def loss(self) -> float:
        """The share of pages that leave their topic."""
        return len(self.moves) / self.pages if self.pages else 0.0

    @property
    def error(self) -> ErrorEstimate:
        """The estimated error of all kept pages, and its interval: means over topics, weighted by pages."""
        known = [one for one in self.topics if one.error.error is not None and one.kept]
        total = sum(one.kept for one in known)
        if not total:
            return UNKNOWN
        shares = [one.kept / total for one in known]
        error = sum(share * (one.error.error or 0.0) for share, one in zip(shares, known, strict=True))
        low, high = (
            sum(share * one.error.interval[end] for share, one in zip(shares, known, strict=True)) for end in (0, 1)
        )
        return ErrorEstimate(error, (low, high), sum(one.error.kept for one in known))


def filter_topics(
    store: Store,
    topic: str | None,
    judge_of: Callable[[str], TopicJudge | None],
    options: FilterOptions,
    on_step: OnStep = nobody,
) -> Filtering:
    """Propose which pages leave a topic and the topics below it; None means all topics.

    `judge_of` returns the judge of a topic, or None if it was not trained.
    """
    here: dict[str, list[TopicPage]] = {}
    for page in pages_of(store, topic):
        here.setdefault(page.topic, []).append(page)
    number = sum(map(len, here.values()))
    if not number:
        raise InputError(
            f"{topic or 'The portal'} has no pages to filter.",
            "Crawl first, or choose another topic.",
            NothingToFilter(),
        )
    filtered, untrained, moves = [], [], dict[int, Path]()
    names = {above for name in here for above in _ways(name) if topic is None or _inside(above, topic)}
    for done, name in enumerate(sorted(names, key=lambda name: (-name.count("/"), name))):
        on_step(StepProgress(WorkStep.FILTERING, done, len(names)))
        pages = here.get(name, [])
        judge = judge_of(name)
        if judge is None:
            untrained += [name] if pages else []
            continue
        result, gone = _filtered(store, name, pages, judge, options)
        filtered.append(result)
        parent = parent_of(name)
        for page in gone:
            moves[page.id] = parent or (MISCELLANEOUS,)
        if parent:
            here.setdefault(written(parent), []).extend(gone)
    return Filtering(topics=filtered, moves=moves, pages=number, untrained=untrained)


def apply_filter(store: Store, filtering: Filtering, topic: str | None, *, at: float) -> StepRow:
    """Move the pages of a proposed filter, and return the step."""
    row = StepRow(
        kind=StepKind.FILTER, at=at, topic=topic, detail={"loss": round(filtering.loss, 4)}, hides=MISCELLANEOUS
    )
    return store.organising.take(row, moved_to(store, filtering.moves))


def _filtered(
    store: Store, topic: str, pages: Sequence[TopicPage], judge: TopicJudge, options: FilterOptions
) -> tuple[TopicFiltered, list[TopicPage]]:
    factors = judge.factors(pages, bags_of(store, [page.id for page in pages]))
    kept, unreached = _kept(factors, judge, options)
    factor = float(factors[kept].min()) if kept.any() else None
    before = judge.curve.above(_below(factors), len(factors)) if judge.curve else UNKNOWN
    result = TopicFiltered(
        topic=topic,
        kept=int(kept.sum()),
        moved=int((~kept).sum()),
        factor=factor,
        error=judge.curve.above(_below(factors[kept]), int(kept.sum())) if judge.curve and kept.any() else UNKNOWN,
        error_before=before,
        unreached=unreached,
    )
    return result, [page for page, stays in zip(pages, kept.tolist(), strict=True) if not stays]


def _kept(factors: Floats, judge: TopicJudge, options: FilterOptions) -> tuple[NDArray[np.bool_], bool]:
    """Return which pages stay, and whether the requested error cannot be reached."""
    if options.loss is not None:
        return most_certain(factors, options.loss), False
    if options.factor is not None:
        return factors > options.factor, False
    threshold = judge.curve.threshold_for(options.error or 0.0) if judge.curve else None
    if threshold is None:
        return np.ones(len(factors), np.bool_), True
    return factors > threshold, False


def _below(factors: Floats) -> float:
    """Return a threshold just below the lowest of some factors, at least 0, below which a topic accepts nothing."""
    return max(0.0, float(np.nextafter(factors.min(), -np.inf))) if len(factors) else 0.0


def _ways(topic: str) -> list[str]:
    path = parsed(topic)
    return [written(path[:depth]) for depth in range(1, len(path) + 1)]


def _inside(name: str, topic: str) -> bool:
    return name == topic or name.startswith(f"{topic}/")

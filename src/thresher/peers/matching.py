"""Matches the topics of two portals by testing their models on each other's pages; names do not matter.

A received model is tested on the portal's own training pages, except those it was trained on. Two topics match if each
portal finds the other's model the best for its own topic, and better than chance.
"""

from collections.abc import Collection, Mapping, Sequence
from operator import truediv
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.classify.background import background, is_background
from thresher.classify.examples import families
from thresher.classify.examples_file import TrainingSet
from thresher.classify.linear_model import LinearMachine, LinearModel
from thresher.learn.quality import wilson
from thresher.web.urls import url_id

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LEAST_PAGES: Final = 3
"""Minimum numbers of pages of a topic, and of other pages, for a measurement."""

LEAST_ACCURACY: Final = 0.7
_GENERAL: Final = 50
"""Number of general-language documents that models are also tested on."""

_SMALLEST: Final = 1e-9


class LabelledPages(Struct, frozen=True, eq=False):
    """Labelled training pages for testing models of a topic: stems, page ids, and which belong to the topic.

    Some are `general`: generated documents about nothing, which no model should accept.
    """

    topic: str
    bags: list[Mapping[str, int]]
    ids: list[int]
    members: Flags
    general: Flags


class Separation(Struct, frozen=True):
    """How well a model distinguishes a topic's pages from those of other topics and from general language.

    `accuracy` is the mean of the shares of correct pages inside and outside the topic; the latter is the lower of the
    shares for the two kinds of other pages. `low` is the same for the lower bounds of the 95% intervals, and `pages`
    the number of pages tested. A page is accepted if its confidence exceeds `centre`; `unit` is the distance from there
    to the mean confidence of the topic's pages.
    """

    accuracy: float
    low: float
    pages: int
    centre: float
    unit: float

    @property
    def tells(self) -> bool:
        """Whether the model is clearly better than chance."""
        return self.accuracy >= LEAST_ACCURACY and self.low > 0.5


def labelled_pages(training: TrainingSet) -> list[LabelledPages]:
    """Return the test pages for each topic of a portal."""
    given = training.all()
    found = []
    for family in families([*given, *((page, None) for page in background((page for page, _ in given), _GENERAL))]):
        general = np.array([is_background(page) for page in family.pages], np.bool_)
        bags = [page.terms for page in family.pages]
        ids = [url_id(page.url) for page in family.pages]
        for place, child in enumerate(family.children):
            topic = f"{family.parent}/{child}" if family.parent else child
            found.append(LabelledPages(topic, list(bags), ids, family.members[:, place], general))
    return found


def measured(model: LinearModel, pages: LabelledPages, without: Collection[int] = ()) -> Separation | None:
    """Return how well a model recognises a topic's pages, leaving out those with the given ids.

    None if fewer than half of the pages or too few remain, or if the model rates all of them the same or prefers the
    others.
    """
    excluded = set(without)
    rows = [row for row, id_ in enumerate(pages.ids) if id_ not in excluded]
    members, general = pages.members[rows], pages.general[rows]
    # A peer that claims too many of our pages may be trying to choose its own test.
    if members.sum() < max(LEAST_PAGES, pages.members.sum() / 2) or (~members).sum() < (~pages.members).sum() / 2:
        return None
    return measure_of(LinearMachine(model).confidences([pages.bags[row] for row in rows]), members, general)


def measure_of(confidences: Floats, members: Flags, general: Flags) -> Separation | None:
    """Return the measure for the confidences of members and other pages; None if they do not differ.

    >>> members, general = np.arange(10) < 5, np.zeros(10, bool)
    >>> found = measure_of(np.linspace(1.0, -1.0, 10), members, general)
    >>> found.accuracy, found.tells, measure_of(np.ones(10), members, general)
    (1.0, True, None)
    """
    inside = confidences[members]
    kinds = [kind for kind in (confidences[~members & ~general], confidences[general]) if len(kind) >= LEAST_PAGES]
    if len(inside) < LEAST_PAGES or not kinds:
        return None
    outside = max(float(kind.mean()) for kind in kinds)
    centre, unit = (float(inside.mean()) + outside) / 2.0, (float(inside.mean()) - outside) / 2.0
    if not unit > _SMALLEST:
        return None
    taken = int((inside > centre).sum())
    left = [int((kind <= centre).sum()) for kind in kinds]
    sizes = [len(kind) for kind in kinds]
    return Separation(
        accuracy=(taken / len(inside) + min(map(truediv, left, sizes))) / 2.0,
        low=(wilson(taken, len(inside))[0] + min(wilson(*pair)[0] for pair in zip(left, sizes, strict=True))) / 2.0,
        pages=len(inside) + sum(sizes),
        centre=centre,
        unit=unit,
    )


def held_out_choice(confidences: Floats, members: Flags, general: Flags) -> Flags:
    """Return which pages would be assigned to the topic if each was left out when the centre was chosen.

    >>> members, general = np.array([True, True, False, False]), np.zeros(4, bool)
    >>> held_out_choice(np.array([2.0, 1.0, -1.0, -2.0]), members, general).tolist()
    [True, True, False, False]
    """
    others = ~members & ~general
    inside = _mean_without(confidences, members)
    kinds = [_mean_without(confidences, kind) for kind in (others, general) if kind.sum() >= LEAST_PAGES]
    outside = np.max(kinds, axis=0) if kinds else _mean_without(confidences, ~members)
    return np.asarray(confidences > (inside + outside) / 2.0, np.bool_)


def _mean_without(confidences: Floats, some: Flags) -> Floats:
    """Return for each page the mean confidence of some pages, excluding the page itself."""
    left = np.maximum(1, some.sum() - some)
    return np.asarray((confidences[some].sum() - confidences * some) / left, np.float64)


class Match(Struct, frozen=True):
    """A topic of ours and the matching topic of a peer; `measure` is that of its model on our pages."""

    own: str
    theirs: str
    measure: Separation


def best_topic(
    model: LinearModel, pages: Sequence[LabelledPages], without: Collection[int] = ()
) -> tuple[str, Separation] | None:
    """Return the topic that a model recognises best, with its measure; None if there is none."""
    found = [(measured(model, one, without), one.topic) for one in pages]
    telling = [(measure, topic) for measure, topic in found if measure is not None and measure.tells]
    if not telling:
        return None
    measure, topic = max(telling, key=lambda pair: (pair[0].accuracy, pair[0].low, pair[1]))
    return topic, measure


def matches(
    theirs_here: Mapping[str, tuple[str, Separation] | None], ours_there: Mapping[str, str | None]
) -> list[Match]:
    """Return the topics that match both ways.

    `theirs_here` maps each topic of the peer to the one of ours that its model recognises best, `ours_there` each of
    ours to the one of the peer's that our model recognises best, as reported by the peer. Each topic is in at most one
    match.
    """
    found = []
    for theirs, best in sorted(theirs_here.items()):
        if best is not None and ours_there.get(best[0]) == theirs:
            found.append(Match(best[0], theirs, best[1]))
    return found

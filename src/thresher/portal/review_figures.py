"""Precision of the topics according to the decisions of reviewers: per topic with its interval, and overall."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from thresher.learn.quality import wilson
from thresher.store.decisions import DecisionRow

SECONDS: Final = 10
"""Average seconds per decision."""


class Precision(Struct, frozen=True):
    """The number of pages checked, how many were right, their share, and its 95 % interval."""

    topic: str
    checked: int
    right: int
    share: float
    low: float
    high: float


class Precisions(Struct, frozen=True):
    """The precision of each topic, lowest first; `micro` is over all pages, `macro` the mean over topics."""

    topics: list[Precision]
    micro: Precision | None
    macro: float | None


def precisions(rows: Iterable[DecisionRow]) -> Precisions:
    """Return the precision of topics from the decisions about their pages; the latest valid one of each page counts.

    >>> from thresher.store.decisions import DecisionKind
    >>> row = DecisionRow(page=1, url="", kind=DecisionKind.RIGHT, at=0.0, shown="Tea", topic="Tea", id=1)
    >>> precisions([row]).topics[0].share
    1.0
    """
    newest: dict[int, DecisionRow] = {}
    for row in sorted(rows, key=lambda row: row.id):
        if row.undone is None and row.kind.judges:
            newest[row.page] = row
    counts: dict[str, list[int]] = {}
    for row in newest.values():
        if row.shown is not None:
            checked = counts.setdefault(row.shown, [0, 0])
            checked[0] += 1
            checked[1] += row.topic == row.shown
    topics = sorted((_precision(topic, *found) for topic, found in counts.items()), key=lambda one: one.share)
    if not topics:
        return Precisions([], None, None)
    micro = _precision("", sum(one.checked for one in topics), sum(one.right for one in topics))
    return Precisions(topics, micro, sum(one.share for one in topics) / len(topics))


def _precision(topic: str, checked: int, right: int) -> Precision:
    return Precision(topic, checked, right, right / checked, *wilson(right, checked))

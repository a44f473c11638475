"""The order of pages for review: the most doubtful and best linked first, or a topic from the top."""

import math
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from thresher.models import newest_model
from thresher.portal.fresh import Fresh
from thresher.portal.library import Library
from thresher.store.decisions import DecisionKind, DoubtfulPage, LessonState
from thresher.store.portal_records import ListOrder, PageSelection
from thresher.train.questions import LONGEST, questions

_OLD: Final = 30.0
_QUEUES: Final = 64


class ReviewOrder(StrEnum):
    """The order of pages: those where an answer teaches most, or the best of a topic first."""

    DOUBTFUL = "doubtful"
    TOP = "top"


class ReviewQueue:
    """The pages to ask about, recomputed now and then; pages decided meanwhile are left out at once."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._kept: dict[tuple[str, ReviewOrder], Fresh[list[DoubtfulPage]]] = {}

    def open(self, topic: str = "", order: ReviewOrder = ReviewOrder.DOUBTFUL) -> list[DoubtfulPage]:
        """Return the undecided pages of a topic and its subtopics ("" for all topics); postponed pages come last."""
        store = self._library.store
        found = self._fresh(topic, order).get()
        again = self._again(topic) if order is ReviewOrder.DOUBTFUL else []
        settled = store.decisions.settled([doubt.id for doubt in found])
        left = [doubt for doubt in found if doubt.id not in settled]
        put_off = {row.page: row.at for row in store.decisions.all(LONGEST) if _is_put_off(row.kind, row.undone)}
        left.sort(key=lambda doubt: put_off.get(doubt.id, 0.0))
        return [*again, *left]

    def forget(self) -> None:
        """Recompute all queues after a new training."""
        self._kept.clear()

    def _fresh(self, topic: str, order: ReviewOrder) -> Fresh[list[DoubtfulPage]]:
        key = (topic, order)
        if key not in self._kept:
            if len(self._kept) >= _QUEUES:
                self._kept.clear()
            library = self._library
            version = lambda: (newest_model(library.portal, library.store), library.store.decisions.count() // 20)  # noqa: E731
            self._kept[key] = Fresh(lambda: self._made(topic, order), version, _OLD, library.clock)
        return self._kept[key]

    def _made(self, topic: str, order: ReviewOrder) -> list[DoubtfulPage]:
        told = self._library.overview()
        topics = told.below(topic) if topic else tuple(told.nodes)
        store = self._library.store
        if order is ReviewOrder.TOP:
            ids = store.catalogue.ids(PageSelection(topics=topics), ListOrder.BEST, LONGEST)
            pages = self._library.pages(ids)
            return [
                DoubtfulPage(page.id, page.url, page.host, page.topic, page.confidence, page.probability, accepted=True)
                for page in pages
            ]
        return questions(store, topics)

    def _again(self, topic: str) -> list[DoubtfulPage]:
        """Return pages whose answers contradict others and have not been confirmed since."""
        store, told = self._library.store, self._library.overview()
        lesson = next((row for row in store.lessons.all() if row.state is not LessonState.FAILED), None)
        found: list[DoubtfulPage] = []
        for page in lesson.report.get("again", []) if lesson else []:
            rows = [row for row in store.decisions.of_page(page) if row.undone is None]
            asked = (rows[-1].shown or rows[-1].topic) if rows else None
            if len(rows) != 1 or asked is None or asked not in (told.below(topic) if topic else told.nodes):
                continue
            url = rows[-1].url
            found.append(DoubtfulPage(page, url, "", asked, 0.0, math.nan, accepted=rows[-1].shown is not None))
        return found


def _is_put_off(kind: DecisionKind, undone: float | None) -> bool:
    return kind is DecisionKind.LATER and undone is None


def by_branch(doubts: Sequence[DoubtfulPage]) -> dict[str, int]:
    """Return the number of open pages per branch, by branch path.

    >>> topics = ["Tea/Green", "Tea"]
    >>> by_branch([DoubtfulPage(id_, "", "", topic, 0.0, 0.5, True) for id_, topic in enumerate(topics)])
    {'Tea': 2}
    """
    return dict(Counter(doubt.topic.partition("/")[0] for doubt in doubts).most_common())

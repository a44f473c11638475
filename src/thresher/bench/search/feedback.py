"""Measures the value of feedback: simulated users judge the first results and look at the next ones.

Each query is a word typical of a topic. Judged results are excluded, before and after.
"""

import math
from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Final

import numpy as np
from msgspec import Struct

from thresher.bench.page_cache import PageCache
from thresher.bench.webs.web import BenchWeb
from thresher.search.columns import Columns
from thresher.search.evaluate import Evaluation
from thresher.search.filters import Filters
from thresher.search.profiles import proven
from thresher.search.query_parser import parse
from thresher.search.rankings import DEFAULT
from thresher.search.snapshot import Snapshot
from thresher.store.protocol import Store
from thresher.web.urls import url_id

JUDGED: Final = 10
"""Number of results that a user judges."""

LOOKED_AT: Final = 25
WORDS_OF_TOPIC: Final = 8
_LEAST: Final = 60
"""Minimum number of pages with a word, so that there is something to rank."""


class Worth(Struct, frozen=True):
    """Precision at 25, and by position, before and after feedback; and the number of queries."""

    queries: int
    precision: tuple[float, float]
    by_position: tuple[float, float]


def measure(snapshot: Snapshot, store: Store, web: BenchWeb, pages: PageCache, topics: Sequence[str]) -> Worth:
    """Return the value of feedback in a portal of a web."""
    evaluation = Evaluation(snapshot, Filters(snapshot.columns, store, lambda _: []))
    rows: list[tuple[float, float, float, float]] = []
    for topic in topics:
        right = _rows(snapshot.columns, [url for url, labels in web.labels.items() if topic in labels])
        for word in typical_words(web, pages, topic):
            rows.append(_one(evaluation, snapshot.columns, word, right))
    before, after, placed, placed_after = (fmean(column) for column in zip(*rows, strict=True))
    return Worth(len(rows), (before, after), (placed, placed_after))


def _rows(columns: Columns, urls: Sequence[str]) -> set[int]:
    return {int(row) for row in columns.rows([url_id(url) for url in urls]) if row >= 0}


def _one(evaluation: Evaluation, columns: Columns, word: str, right: set[int]) -> tuple[float, float, float, float]:
    query = parse(f"{word} topic:any")
    question = evaluation.question(query)
    ranked = evaluation.best(question, DEFAULT, JUDGED + LOOKED_AT).rows
    judged, following = ranked[:JUDGED], ranked[JUDGED:].tolist()
    verdicts = np.array([int(row) in right for row in judged])
    weights = proven(evaluation.parts(query, judged), verdicts, DEFAULT)
    again = evaluation.best(question, weights, len(columns)).rows.tolist()
    seen = set(judged.tolist())
    fresh = [row for row in again if row not in seen][:LOOKED_AT]
    found = [[row in right for row in rows] for rows in (following, fresh)]
    return (
        sum(found[0]) / LOOKED_AT,
        sum(found[1]) / LOOKED_AT,
        precision_by_position(found[0]),
        precision_by_position(found[1]),
    )


def precision_by_position(right: Sequence[bool]) -> float:
    """Return the position-weighted precision: 1 if all results are right; higher positions count more.

    >>> precision_by_position([True] * 25), precision_by_position([False] * 25)
    (1.0, 0.0)
    """
    most = sum(math.log(LOOKED_AT / place) for place in range(1, LOOKED_AT + 1))
    return sum(math.log(LOOKED_AT / place) for place, good in enumerate(right, 1) if good) / most


def typical_words(web: BenchWeb, pages: PageCache, topic: str) -> list[str]:
    """Return the stems that best distinguish the pages of a topic, by the difference in document frequency."""
    inside: Counter[str] = Counter()
    outside: Counter[str] = Counter()
    sizes = [0, 0]
    for url, labels in sorted(web.labels.items()):
        page = pages.page(url)
        if page is None:
            continue
        own = topic in labels
        (inside if own else outside).update(page.terms.keys())
        sizes[own] += 1
    common = [stem for stem, number in inside.items() if number + outside[stem] >= _LEAST and stem.isalpha()]
    return sorted(common, key=lambda s: (outside[s] / max(1, sizes[0]) - inside[s] / max(1, sizes[1]), s))[
        :WORDS_OF_TOPIC
    ]

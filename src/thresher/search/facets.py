"""How many of the pages that were found have each topic, site, type, language, year, review state and model."""

from collections import Counter
from datetime import UTC, datetime
from typing import Final

import numpy as np

from thresher.search.columns import Columns
from thresher.search.filters import type_name
from thresher.search.results import FacetValue
from thresher.search.top_pages import Rows

MOST: Final = 50
"""Values of a facet that are told, the most frequent; topics are all told."""


def facets(columns: Columns, rows: Rows) -> dict[str, list[FacetValue]]:
    """Return the facets of some pages, each with its most frequent values first; equal ones by name.

    A topic counts the pages of all topics below it too.
    """
    types: Counter[str] = Counter()
    for name, number in _counted(columns, rows, "mime").items():
        types[type_name(name)] += number
    return {
        "topic": _sorted(_branches(_counted(columns, rows, "topic")), None),
        "site": _sorted(_counted(columns, rows, "host")),
        "type": _sorted(types),
        "language": _sorted(_counted(columns, rows, "language")),
        "year": _sorted(_years(columns, rows)),
        "state": _sorted(_counted(columns, rows, "state")),
        "model": _sorted(_counted(columns, rows, "model")),
    }


def _counted(columns: Columns, rows: Rows, column: str) -> Counter[str]:
    numbers = columns[column][rows]
    counts = np.bincount(numbers[numbers >= 0], minlength=len(columns.names[column]))
    return Counter({name: int(count) for name, count in zip(columns.names[column], counts, strict=True) if count})


def _branches(counts: Counter[str]) -> Counter[str]:
    whole: Counter[str] = Counter()
    for path, count in counts.items():
        names = path.split("/")
        for end in range(1, len(names) + 1):
            whole["/".join(names[:end])] += count
    return whole


def _years(columns: Columns, rows: Rows) -> Counter[str]:
    days, counts = np.unique(columns["at"][rows] // 86_400.0, return_counts=True)
    years: Counter[str] = Counter()
    for day, count in zip(days.tolist(), counts.tolist(), strict=True):
        years[str(datetime.fromtimestamp(day * 86_400.0, UTC).year)] += count
    return years


def _sorted(counts: Counter[str], most: int | None = MOST) -> list[FacetValue]:
    order = sorted(((name, count) for name, count in counts.items() if name), key=lambda one: (-one[1], one[0]))
    return [FacetValue(name, count) for name, count in order[:most]]

"""Counts results by topic, site, type, language, year, state, model and certainty level."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from thresher.search.columns import Columns
from thresher.search.filters import type_name
from thresher.search.results import FacetValue
from thresher.search.sureness import LEVELS, at_level
from thresher.search.top_pages import Rows

MOST: Final = 50
"""Maximum number of values per facet, the most frequent first; topics are not limited."""


def facets(columns: Columns, rows: Rows) -> dict[str, list[FacetValue]]:
    """Return the facets of some pages, each sorted by frequency, then by name.

    The count of a topic includes the pages of its subtopics.
    """
    types: dict[str, int] = {}
    for name, number in _counted(columns, rows, "mime", None).items():
        types[type_name(name)] = types.get(type_name(name), 0) + number
    return {
        "topic": _sorted(_branches(_counted(columns, rows, "topic", None)), None),
        "site": _sorted(_counted(columns, rows, "host")),
        "type": _sorted(types),
        "language": _sorted(_counted(columns, rows, "language")),
        "year": _sorted(_years(columns, rows)),
        "state": _sorted(_counted(columns, rows, "state")),
        "model": _sorted(_counted(columns, rows, "model")),
        "sure": _levels(columns, rows),
    }


def _counted(columns: Columns, rows: Rows, column: str, most: int | None = MOST) -> dict[str, int]:
    """Return the number of pages per value of a column; with `most`, skip values too rare to be listed."""
    numbers = columns[column][rows]
    counts = np.bincount(numbers[numbers >= 0], minlength=len(columns.names[column]))
    found = np.flatnonzero(counts)
    if most is not None and len(found) > most:
        # One more, because the empty name is dropped later.
        least = np.partition(counts[found], -most - 1)[-most - 1]
        found = found[counts[found] >= least]
    names = columns.names[column]
    return {names[number]: count for number, count in zip(found.tolist(), counts[found].tolist(), strict=True)}


def _branches(counts: Mapping[str, int]) -> dict[str, int]:
    whole: dict[str, int] = {}
    for path, count in counts.items():
        names = path.split("/")
        for end in range(1, len(names) + 1):
            way = "/".join(names[:end])
            whole[way] = whole.get(way, 0) + count
    return whole


def _years(columns: Columns, rows: Rows) -> dict[str, int]:
    if not len(rows):
        return {}
    years = columns.years[rows]
    first = int(years.min())
    # Much faster than numpy.unique, which sorts.
    counts = np.bincount(years - first)
    return {str(first + year): int(counts[year]) for year in np.flatnonzero(counts).tolist()}


def _levels(columns: Columns, rows: Rows) -> list[FacetValue]:
    """Return the number of pages at each certainty level, highest first."""
    probabilities = columns["probability"][rows]
    counts = {level: int(np.count_nonzero(at_level(probabilities, level))) for level in LEVELS}
    return [FacetValue(level, count) for level, count in counts.items() if count]


def _sorted(counts: Mapping[str, int], most: int | None = MOST) -> list[FacetValue]:
    order = sorted(((name, count) for name, count in counts.items() if name), key=lambda one: (-one[1], one[0]))
    return [FacetValue(name, count) for name, count in order[:most]]

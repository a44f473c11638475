"""Counts results by topic, site, type, language, year, state, model and certainty level.

Pages have few combinations of type, language, year, state, model and level. So each page has the number of its
combination, and a search counts all these facets at once.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.search.columns import Columns
from thresher.search.filters import type_name
from thresher.search.results import FacetValue
from thresher.search.sureness import LEVELS, at_level
from thresher.search.top_pages import Rows

MOST: Final = 50
"""Maximum number of values per facet, the most frequent first; topics are not limited."""

_YEAR, _LEVEL = "year", "level"
_NAMED: Final = ("mime", "language", "state", "model")

Integers = NDArray[np.integer[Any]]


class FacetCounts:
    """Counts pages by facet, for one state of the columns."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    @cached_property
    def _combinations(self) -> "_Combinations":
        columns = self._columns
        levels = np.full(len(columns), -1, np.int64)
        for place, level in enumerate(LEVELS):
            levels[at_level(columns["probability"], level)] = place
        return _combined({name: columns[name] for name in _NAMED} | {_YEAR: _years(columns["at"]), _LEVEL: levels})

    def prepare(self, before: "FacetCounts") -> None:
        """Number the combinations if an earlier state has done so."""
        if "_combinations" in before.__dict__:
            self._combinations  # noqa: B018 - computed on first use

    def of(self, rows: Rows) -> dict[str, list[FacetValue]]:
        """Return the facets of some pages, each sorted by frequency, then by name; levels from the highest down.

        The count of a topic includes the pages of its subtopics.
        """
        columns = self._columns
        counts = self._combinations.counts(rows)
        named = {name: {columns.names[name][code]: n for code, n in counts[name].items()} for name in _NAMED}
        types: dict[str, int] = {}
        for name, number in named["mime"].items():
            types[type_name(name)] = types.get(type_name(name), 0) + number
        return {
            "topic": _sorted(_branches(_counted(columns, rows, "topic", None)), None),
            "site": _sorted(_counted(columns, rows, "host")),
            "type": _sorted(types),
            "language": _sorted(named["language"]),
            "year": _sorted({str(year): number for year, number in counts[_YEAR].items()}),
            "state": _sorted(named["state"]),
            "model": _sorted(named["model"]),
            "sure": [FacetValue(list(LEVELS)[place], number) for place, number in sorted(counts[_LEVEL].items())],
        }


class _Combinations(Struct, frozen=True):
    """The number of each page's combination, and the values that each combination has, by name; -1 for none."""

    numbers: NDArray[np.int64]
    values: dict[str, Integers]

    def counts(self, rows: Rows) -> dict[str, dict[int, int]]:
        """Return how many of some pages have each value."""
        counts = np.bincount(self.numbers[rows])
        found = np.flatnonzero(counts)
        pages = counts[found].tolist()
        made: dict[str, dict[int, int]] = {name: {} for name in self.values}
        for name, totals in made.items():
            for value, number in zip(self.values[name][found].tolist(), pages, strict=True):
                if value >= 0:
                    totals[value] = totals.get(value, 0) + number
        return made


def _combined(values: Mapping[str, Integers]) -> _Combinations:
    """Return the combinations of some values that pages have."""
    size = len(next(iter(values.values())))
    numbers = np.zeros(size, np.int64)
    for column in values.values():
        low, high = int(column.min(initial=0)), int(column.max(initial=0))
        numbers = _numbered(numbers * (high - low + 1) + (column - low))
    examples = np.zeros(int(numbers.max(initial=-1)) + 1, np.int64)
    examples[numbers] = np.arange(size)
    return _Combinations(numbers, {name: column[examples] for name, column in values.items()})


def _numbered(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return values numbered in ascending order without gaps.

    >>> _numbered(np.array([7, 3, 7, 5])).tolist()
    [2, 0, 2, 1]
    """
    most = int(values.max(initial=0))
    if most > 4 * len(values):
        return np.asarray(np.unique(values, return_inverse=True)[1], np.int64)
    # Much faster than numpy.unique, which sorts.
    present = np.zeros(most + 1, np.bool_)
    present[values] = True
    return np.asarray((np.cumsum(present) - 1)[values], np.int64)


def _years(times: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the years (UTC) of wall times.

    >>> _years(np.array([0.0, 1_767_225_599.5, 1_767_225_600.0])).tolist()
    [1970, 2025, 2026]
    """
    if not len(times):
        return np.zeros(0, np.int64)
    first, last = np.array([times.min(), times.max()]).astype("datetime64[s]").astype("datetime64[Y]")
    # Converting every time to a date takes ten times as long.
    starts = np.arange(first, last + 2).astype("datetime64[s]").astype(np.int64)
    return np.asarray(np.searchsorted(starts, times, side="right") - 1 + first.astype(np.int64) + 1970, np.int64)


def _counted(columns: Columns, rows: Rows, column: str, most: int | None = MOST) -> dict[str, int]:
    """Return the number of pages per value of a column; with `most`, skip values too rare to be listed."""
    # Pages without a value are counted first.
    counts = np.bincount(columns[column][rows] + 1, minlength=1)[1:]
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


def _sorted(counts: Mapping[str, int], most: int | None = MOST) -> list[FacetValue]:
    order = sorted(((name, count) for name, count in counts.items() if name), key=lambda one: (-one[1], one[0]))
    return [FacetValue(name, count) for name, count in order[:most]]

"""The parts of a ranking, each between 0 and 1 for every page, and their weights.

The scales depend on the query and the portal, never on the results, so the score of a page does not depend on which
other pages were found:

    text         the BM25 score as a share of the highest score possible for the query
    confidence   c / (1 + c) for a confidence c above 0
    probability  unchanged
    authority, hub, pagerank, topic_pagerank
                 log(1 + n·x) / log(1 + n·max) for n pages in the portal, where max is the highest score
    recency      halves for every 180 days before the newest page
"""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from thresher.errors import InputError
from thresher.search.columns import Columns

Floats = NDArray[np.float64]

TEXT: Final = "text"
STATIC: Final = ("confidence", "probability", "authority", "hub", "pagerank", "topic_pagerank", "recency")
PARTS: Final = (TEXT, *STATIC)

DEFAULT: Final[Mapping[str, float]] = {TEXT: 1.0, "probability": 0.1}
"""Chosen with `thresher bench search`; see docs/SEARCH.md for the figures."""

LISTING: Final[Mapping[str, float]] = {"confidence": 1.0, "authority": 0.5}
"""The default for queries without words, which have no text score."""

HALF_LIFE: Final = 180 * 86_400.0
"""Seconds in which the recency of a page halves."""

HEAVIEST: Final = 1_000.0

LEADERS: Final = 1 << 16
"""Number of pages kept sorted by their static parts; no search looks at more of them."""


def weights(rank: str | Mapping[str, float] | None) -> dict[str, float]:
    """Return the weight of each part that counts; a name alone has the weight 1.

    Raises InputError if a part does not exist or a weight is not a number.

    >>> weights("text=1, authority=0.5")
    {'text': 1.0, 'authority': 0.5}
    >>> weights("recency")
    {'recency': 1.0}
    """
    if rank is None or rank == "":
        return dict(DEFAULT)
    given = _read(rank) if isinstance(rank, str) else rank
    found: dict[str, float] = {}
    for name, weight in given.items():
        if name not in PARTS:
            close = get_close_matches(name, PARTS, 1)
            meant = f"Did you mean '{close[0]}'? " if close else ""
            raise InputError(f"There is no ranking '{name}'.", f"{meant}Choose from {', '.join(PARTS)}.")
        if not abs(weight) <= HEAVIEST:
            raise InputError(f"The weight of '{name}' is out of range.", f"Keep it between ±{HEAVIEST:g}.")
        if weight:
            found[name] = float(weight)
    return {name: found[name] for name in PARTS if name in found}


def _read(rank: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in filter(None, (piece.strip() for piece in rank.split(","))):
        name, equals, value = part.partition("=")
        try:
            found[name.strip().lower()] = float(value) if equals else 1.0
        except ValueError:
            raise InputError(
                f"The weight '{value}' is not a number.", "Write a ranking as: text=1,authority=0.5"
            ) from None
    return found


class StaticSum:
    """The weighted sum of all parts except the text, for every page; `leaders` are the pages with the highest sums."""

    def __init__(self, values: Floats) -> None:
        self.values = values

    @cached_property
    def differs(self) -> bool:
        """Whether the sums of the pages differ."""
        return bool(len(self.values)) and bool((self.values != self.values[0]).any())

    @cached_property
    def leaders(self) -> NDArray[np.int64]:
        """The rows of up to `LEADERS` pages with the highest sums, in descending order."""
        rows = np.arange(len(self.values))
        if len(rows) > LEADERS:
            rows = np.argpartition(-self.values, LEADERS)[:LEADERS]
        return rows[np.argsort(-self.values[rows], kind="stable")]

    def at_least(self, value: float) -> NDArray[np.int64] | None:
        """Return the rows of all pages with at least this sum, or None if pages other than the leaders may have it."""
        number = int(np.searchsorted(-self._heights, -value, side="right"))
        return None if number == len(self.leaders) < len(self.values) else self.leaders[:number]

    @cached_property
    def _heights(self) -> Floats:
        return self.values[self.leaders]


class StaticParts:
    """The parts of a ranking that do not depend on the query, for all pages of a portal."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._known: dict[str, Floats] = {}
        self._sums: dict[tuple[tuple[str, float], ...], StaticSum] = {}

    def part(self, name: str) -> Floats:
        """Return a part for every page, 0 to 1; 0 if unknown."""
        if name not in self._known:
            self._known[name] = np.nan_to_num(self._scaled(name), nan=0.0)
        return self._known[name]

    def sum(self, weights: Mapping[str, float]) -> "StaticSum":
        """Return the weighted sum of all parts except the text, for every page."""
        key = tuple((name, weight) for name, weight in weights.items() if name != TEXT)
        if key not in self._sums:
            if len(self._sums) > 16:
                self._sums.clear()
            total = np.zeros(len(self._columns))
            for name, weight in key:
                total += weight * self.part(name)
            self._sums[key] = StaticSum(total)
        return self._sums[key]

    def prepare(self, before: "StaticParts") -> None:
        """Compute the sums that an earlier state has computed."""
        for key, was in list(before._sums.items()):
            made = self.sum(dict(key))
            if "leaders" in was.__dict__:
                made.at_least(0.0)

    def _scaled(self, name: str) -> Floats:
        columns = self._columns
        if name == "confidence":
            above = np.maximum(np.nan_to_num(columns["confidence"], nan=0.0), 0.0)
            return np.asarray(above / (1.0 + above))
        if name == "probability":
            return np.asarray(np.clip(columns["probability"], 0.0, 1.0), np.float64)
        if name == "recency":
            times = np.where(np.isnan(columns["changed"]), columns["at"], columns["changed"])
            times = np.minimum(times, columns["at"])
            return np.asarray(np.exp2((times - times.max(initial=0.0)) / HALF_LIFE), np.float64)
        return _logarithmic(columns[name])


def _logarithmic(scores: Floats) -> Floats:
    known = np.maximum(np.nan_to_num(scores, nan=0.0), 0.0)
    most = known.max(initial=0.0)
    return np.log1p(len(known) * known) / np.log1p(len(known) * most) if most > 0 else np.zeros(len(known))

"""The figures of a search method on a web: how many items it found, how soon, and how they ranked."""

from collections.abc import Sequence
from math import sqrt
from statistics import median
from typing import Final

from msgspec import Struct

from thresher.bench.ask.searches import Search

TEN: Final = 10
_NORMAL: Final = 1.96


class AskFigures(Struct, frozen=True, kw_only=True):
    """The figures of a search method on some `items`; `found` is the share it found, with its 95 % interval.

    `first` and `in_ten` are the shares of found items that are the first answer, and among the first ten. `pages` and
    `virtual_seconds` are medians: pages until an item was found, and time per search. The first
    three are None if nothing was found.
    """

    web: str
    way: str
    items: int
    found: float
    interval: tuple[float, float]
    first: float | None
    in_ten: float | None
    pages: float | None
    virtual_seconds: float


def figures(searches: Sequence[Search]) -> list[AskFigures]:
    """Return the figures of each web and method, in the order of the searches."""
    groups: dict[tuple[str, str], list[Search]] = {}
    for done in searches:
        groups.setdefault((done.web, done.way), []).append(done)
    return [_figures(web, way, group) for (web, way), group in groups.items()]


def _figures(web: str, way: str, group: Sequence[Search]) -> AskFigures:
    found = [done for done in group if done.fetched is not None]
    ranks = [done.rank for done in found]
    return AskFigures(
        web=web,
        way=way,
        items=len(group),
        found=len(found) / len(group),
        interval=interval(len(found), len(group)),
        first=sum(rank == 1 for rank in ranks) / len(found) if found else None,
        in_ten=sum(rank is not None and rank <= TEN for rank in ranks) / len(found) if found else None,
        pages=median(done.fetched or 0 for done in found) if found else None,
        virtual_seconds=median(done.virtual_seconds for done in group),
    )


def interval(hits: int, trials: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share.

    >>> [round(border, 3) for border in interval(21, 30)]
    [0.521, 0.833]
    """
    square = _NORMAL * _NORMAL
    middle = (hits + square / 2) / (trials + square)
    half = _NORMAL * sqrt(hits * (trials - hits) / trials + square / 4) / (trials + square)
    return max(0.0, middle - half), min(1.0, middle + half)

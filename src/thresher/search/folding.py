"""Folds similar results into one: near-duplicates, and further pages of one site if other sites have results too."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

PER_SITE: Final = 2
"""Pages of one site that are shown before the others of it are folded."""


class Folded(Struct, frozen=True):
    """A place in the list of results, and what is folded into it: `more` pages of its site, and near-duplicates."""

    place: int
    more: int = 0
    repeats: int = 0


def fold(sites: Sequence[int], texts: Sequence[int], wanted: int) -> list[Folded]:
    """Return the results that are shown, in order, of a list with the site and the text of each.

    Results with the same text are one. Of a site `PER_SITE` are shown, and the rest counts as folded into the last of
    them, unless fewer than `wanted` would be left: folding is there to make room.

    >>> fold([1, 1, 1, 2], [1, 2, 3, 4], 3)
    [Folded(place=0, more=0, repeats=0), Folded(place=1, more=1, repeats=0), Folded(place=3, more=0, repeats=0)]
    >>> fold([1, 1, 1, 2], [1, 1, 3, 4], 4)
    [Folded(place=0, more=0, repeats=1), Folded(place=2, more=0, repeats=0), Folded(place=3, more=0, repeats=0)]
    """
    single, repeats = _by(texts, range(len(texts)), 1)
    folded, more = _by(sites, single, PER_SITE)
    if len(folded) < wanted:
        folded, more = single, {}
    return [Folded(place, more.get(place, 0), repeats.get(place, 0)) for place in folded]


def _by(keys: Sequence[int], places: Sequence[int], most: int) -> tuple[list[int], dict[int, int]]:
    """Return the first places of each key, at most so many, and how many others follow the last of them."""
    shown: list[int] = []
    last: dict[int, int] = {}
    number: dict[int, int] = {}
    more: dict[int, int] = {}
    for place in places:
        key = keys[place]
        number[key] = number.get(key, 0) + 1
        if number[key] <= most:
            shown.append(place)
            last[key] = place
        else:
            more[last[key]] = more.get(last[key], 0) + 1
    return shown, more

"""Folds similar results into one: near-duplicates, and further pages of a site if other sites have results too."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

PER_SITE: Final = 2
"""Results of one site on a page of results, if other sites can fill the rest."""

LOOKED_AT: Final = 5
"""Candidates considered for a page of results, as a multiple of the results it shows."""


class Folded(Struct, frozen=True):
    """A place in the list of results, with `more` pages of its site and `repeats` near-duplicates folded into it."""

    place: int
    more: int = 0
    repeats: int = 0


def fold(sites: Sequence[int], texts: Sequence[int], number: int, pages: int) -> list[Folded]:
    """Return the results on the first `pages` pages of `number` results each, plus one more if any are left.

    `sites` and `texts` describe all results, best first. Results with the same text are merged. On each page every site
    gets the same number of places, at least `PER_SITE`; the remaining results of a site are folded into its last one
    and compete again for the next page. So every result appears on exactly one page.

    >>> [folded.place for folded in fold([1, 1, 1, 1, 2, 3], range(6), 4, 1)]
    [0, 1, 4, 5, 2]
    >>> fold([1, 1, 1, 2], [1, 1, 3, 4], 3, 1)[0]
    Folded(place=0, more=0, repeats=1)
    """
    left, repeats = _by(texts, range(len(texts)), 1)
    shown: list[Folded] = []
    for _ in range(pages):
        competing = left[: number * LOOKED_AT]
        first, more = _by(sites, competing, _places(sites, competing, number))
        page = first[:number]
        shown += [Folded(place, more.get(place, 0), repeats.get(place, 0)) for place in page]
        taken = set(page)
        left = [place for place in left if place not in taken]
    return shown + [Folded(place, 0, repeats.get(place, 0)) for place in left[:1]]


def _places(sites: Sequence[int], competing: Sequence[int], number: int) -> int:
    """Return the number of places per site on a page of `number` results, large enough to fill the page if possible."""
    results = Counter(sites[place] for place in competing)
    largest = max(results.values(), default=0)
    filling = (most for most in range(PER_SITE, largest) if sum(min(n, most) for n in results.values()) >= number)
    return next(filling, max(PER_SITE, largest))


def _by(keys: Sequence[int], places: Sequence[int], most: int) -> tuple[list[int], dict[int, int]]:
    """Return the first `most` places of each key, and how many more follow the last of them."""
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

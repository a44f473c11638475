"""The null of a topic: the margins of pages that do not belong to it, by classifiers not trained on their sites.

A handful of examples cannot say where a topic ends; pages of other things can say if it has not begun. The null is made
of the pages of siblings and of nobody, and of pages that were seen and that nobody has labelled: most of those are not
of the topic, and the median does not mind the rest. A crawl for a single topic meets so much of it that the rest must
be allowed for. Every site counts for a few pages at most, and a site whose pages look like the topic's own does not
count. Pages of siblings, and of the sites that teach them, are judged without what these sites teach, and so lie nearer
to the topic than they should: the more pages of other sites there are, the less they count. Pages in languages that
the topic has no examples in do not count either: they lie far from it whatever they are about. As long as few such
pages are known, the null is guessed from general language, which lies farther from a topic than the pages of any other.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from thresher.learn.robust import centre_and_spread

Floats = NDArray[np.float64]

SITE: Final = 5
"""Pages that a site counts for at most."""

LIKE: Final = 0.5
"""How far between the null and the topic's own pages the median of a site may lie before the site is left out."""

FAR: Final = 4.0
"""How many spreads from the null it must lie besides, for a site without examples of the topic."""

SINGLE: Final = 0.45
"""Share of the unlabelled pages that are taken to be of the topic if it is the only one; siblings divide it, and
their own pages, which are certain, take over from it: it falls with the square of their number."""

TEACHING: Final = 40.0
"""Pages of sites that teach nothing, by what they count for, that halve the weight of siblings and of their sites."""

POOLED: Final = 0.75
"""How far the spread of a topic's null is drawn towards the mean of its siblings'."""

GUESS: Final = 5.0
"""Pages of other things, by what they count for, that outweigh half of the guess."""

GUESSED_CENTRE: Final = 0.5
GUESSED_SPREAD: Final = 0.12
"""Where pages of other things are guessed to lie between general language (0) and the topic's own pages (1)."""


class Null(Struct, frozen=True):
    """Where pages lie that are not of a topic, and how far they scatter, in margins.

    `known` is how much that rests on: the root of the number of pages of each site, all sites together.
    """

    centre: float
    spread: float
    known: float = 0.0


class Placed(Struct, frozen=True, eq=False):
    """Margins of pages, not a number if they are not known, and the sites of the pages."""

    margins: Floats
    sites: Sequence[str]

    def known(self, without: set[str] | None = None) -> "tuple[Floats, Floats]":
        """Return the known margins and their weights, but for some sites."""
        there = self.there(without)
        numbers = Counter(site for site, _ in there)
        weights = [min(1.0, SITE / numbers[site]) for site, _ in there]
        return np.array([margin for _, margin in there]), np.array(weights)

    def there(self, without: set[str] | None = None) -> list[tuple[str, float]]:
        """Return the sites and known margins of pages, but for some sites."""
        pairs = zip(self.sites, self.margins.tolist(), strict=True)
        return [(site, margin) for site, margin in pairs if margin == margin and site not in (without or ())]

    def medians(self) -> dict[str, float]:
        """Return the median of the known margins of each site."""
        found: dict[str, list[float]] = {}
        for site, margin in self.there():
            found.setdefault(site, []).append(margin)
        return {site: float(np.median(there)) for site, there in found.items()}


def null_of(own: Placed, others: Placed, general: Floats, met: Placed, topics: int = 1) -> Null:
    """Return the null of one of several `topics` that are told apart.

    `own` are the topic's own pages while they were held out, `others` the pages of siblings and of nobody, `general`
    those of general language, and `met` the unlabelled ones.
    """
    own_margins, _ = own.known()
    top = float(np.median(own_margins)) if len(own_margins) else 1.0
    guessed = _guessed(top, general[~np.isnan(general)])
    values, weights = others.known()
    start = centre_and_spread(values, weights) if len(values) else (guessed.centre, guessed.spread)
    border = start[0] + LIKE * (top - start[0])
    medians = met.medians()
    home = {site for site in own.sites if medians.get(site, -np.inf) > border}
    away = {site for site, median in medians.items() if median > max(border, start[0] + FAR * start[1])}
    more, more_weights = met.known(home | away)
    teach = {*own.sites, *others.sites}
    elsewhere = np.array([site not in teach for site, _ in met.there(home | away)], bool)
    less = TEACHING / (TEACHING + float(more_weights[elsewhere].sum()))
    more_weights = np.where(elsewhere, more_weights, less * more_weights)
    values, weights = np.concatenate([values, more]), np.concatenate([less * weights, more_weights])
    if not len(values):
        return guessed
    mine = SINGLE / topics**2 * float(more_weights.sum()) / float(weights.sum())
    centre, spread = centre_and_spread(values, weights, above=mine)
    share = GUESS / (GUESS + float(weights.sum())) if len(general) else 0.0
    spread = share * guessed.spread + (1 - share) * spread
    numbers = Counter(site for site, _ in [*others.there(), *met.there(home | away)])
    known = sum(number**0.5 for number in numbers.values())
    return Null(share * guessed.centre + (1 - share) * centre, spread or 1.0, known)


def pooled(nulls: Sequence[Null]) -> list[Null]:
    """Return the nulls of siblings with spreads that are more alike.

    The machines of siblings have one scale, and how far pages of other things scatter differs little from one to the
    next; what a few sites say of it differs much.

    >>> [round(null.spread, 3) for null in pooled([Null(0.0, 0.05), Null(0.0, 0.2)])]
    [0.084, 0.119]
    """
    logs = np.log([null.spread for null in nulls])
    spreads = np.exp((1.0 - POOLED) * logs + POOLED * logs.mean()) if len(nulls) else logs
    return [replace(null, spread=float(spread)) for null, spread in zip(nulls, spreads, strict=True)]


def _guessed(top: float, general: Floats) -> Null:
    start = float(np.median(general)) if len(general) else top - 1.0
    # Margins in a made-up space may lie the wrong way round.
    way = top - start if top > start else 1.0
    return Null(start + GUESSED_CENTRE * way, GUESSED_SPREAD * way)

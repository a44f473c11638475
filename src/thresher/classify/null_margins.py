"""The null of a topic: the margins of pages that do not belong to it, by classifiers not trained on their sites.

A handful of examples cannot say where a topic ends, but pages about other things can say where it has not begun. The
null consists of the pages of siblings and of no topic, and of unlabelled pages: most of these are not of the topic, and
the median tolerates the rest. A crawl for a single topic sees so many of its pages that they must be allowed for. Every
site counts for a few pages at most, and a site whose pages look like the topic's own does not count. Pages of siblings
and of their sites are judged without what these sites teach, so they lie closer to the topic than they should: the more
pages of other sites there are, the less they count. Pages in languages without examples of the topic do not count
either: they are far from it whatever their subject. While few such pages are known, the null is estimated from general
language, which is farther from a topic than pages about anything else.
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
"""Maximum number of pages that count for a site."""

LIKE: Final = 0.5
"""A site is left out if its median lies beyond this fraction of the way from the null to the topic's own pages."""

FAR: Final = 4.0
"""Minimum distance from the null, in spreads, for leaving out a site without examples of the topic."""

SINGLE: Final = 0.45
"""Share of unlabelled pages assumed to be of the topic if it is the only one. With siblings, whose own pages are
certain, it falls with the square of their number.
"""

TEACHING: Final = 40.0
"""Weighted number of pages from sites that teach nothing which halves the weight of siblings and their sites."""

POOLED: Final = 0.75
"""How far the spread of a topic's null is pulled towards the mean of its siblings' spreads."""

GUESS: Final = 5.0
"""Weighted number of pages about other things that outweighs half of the estimate."""

GUESSED_CENTRE: Final = 0.5
GUESSED_SPREAD: Final = 0.12
"""Estimated position of other pages between general language (0) and the topic's own pages (1)."""


class Null(Struct, frozen=True):
    """The centre and spread, in margins, of pages that are not of a topic.

    `known` measures the evidence: the sum over sites of the square root of the number of pages.
    """

    centre: float
    spread: float
    known: float = 0.0


class Placed(Struct, frozen=True, eq=False):
    """Margins of pages, NaN if unknown, and the sites of the pages."""

    margins: Floats
    sites: Sequence[str]

    def known(self, without: set[str] | None = None) -> "tuple[Floats, Floats]":
        """Return the known margins and their weights, without the given sites."""
        there = self.there(without)
        numbers = Counter(site for site, _ in there)
        weights = [min(1.0, SITE / numbers[site]) for site, _ in there]
        return np.array([margin for _, margin in there]), np.array(weights)

    def there(self, without: set[str] | None = None) -> list[tuple[str, float]]:
        """Return the sites and known margins of pages, without the given sites."""
        pairs = zip(self.sites, self.margins.tolist(), strict=True)
        return [(site, margin) for site, margin in pairs if margin == margin and site not in (without or ())]

    def medians(self) -> dict[str, float]:
        """Return the median of the known margins of each site."""
        found: dict[str, list[float]] = {}
        for site, margin in self.there():
            found.setdefault(site, []).append(margin)
        return {site: float(np.median(there)) for site, there in found.items()}


def null_of(own: Placed, others: Placed, general: Floats, met: Placed, topics: int = 1) -> Null:
    """Return the null of one of several `topics`.

    `own` are the topic's own pages while held out, `others` the pages of siblings and of no topic, `general` those of
    general language, and `met` the unlabelled ones.
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
    """Return the nulls of siblings with their spreads pulled towards the mean.

    The classifiers of siblings share one scale, and the true spreads differ little, but estimates from a few sites
    differ much.

    >>> [round(null.spread, 3) for null in pooled([Null(0.0, 0.05), Null(0.0, 0.2)])]
    [0.084, 0.119]
    """
    logs = np.log([null.spread for null in nulls])
    spreads = np.exp((1.0 - POOLED) * logs + POOLED * logs.mean()) if len(nulls) else logs
    return [replace(null, spread=float(spread)) for null, spread in zip(nulls, spreads, strict=True)]


def _guessed(top: float, general: Floats) -> Null:
    start = float(np.median(general)) if len(general) else top - 1.0
    # Margins in an artificial space may have the wrong sign.
    way = top - start if top > start else 1.0
    return Null(start + GUESSED_CENTRE * way, GUESSED_SPREAD * way)

"""Chooses pages for review: those where an answer helps most."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from thresher.store.decisions import DoubtfulPage
from thresher.store.portal_records import LinkNumbers
from thresher.store.protocol import Store

OF_TOPIC: Final = 40
"""Number of doubtful pages of each topic to consider."""

REJECTED: Final = 200
"""Number of pages that no topic accepted to consider."""

LONGEST: Final = 200
"""Maximum number of questions."""

BEYOND: Final = 1.0
"""How far below the border, in spreads, a rejected page may be to be asked about."""


def questions(store: Store, topics: Sequence[str]) -> list[DoubtfulPage]:
    """Return undecided pages of topics and rejected pages near them, those whose answers teach most first."""
    near = store.decisions.nearly_accepted(REJECTED)
    doubts = [doubt for doubt in near if doubt.topic in topics and doubt.confidence > -BEYOND]
    doubts += store.decisions.doubtful(topics, OF_TOPIC)
    return most_teaching(doubts, store.catalogue.links([doubt.id for doubt in doubts]))[:LONGEST]


def most_teaching(doubts: Iterable[DoubtfulPage], links: dict[int, LinkNumbers]) -> list[DoubtfulPage]:
    """Return pages sorted by how much an answer teaches: uncertain, well linked, and from different sites.

    >>> def doubt(id_, host, probability):
    ...     return DoubtfulPage(id_, f"http://{host}/{id_}", host, "tea", 0.0, probability, True)
    >>> doubts = [doubt(1, "a", 0.9), doubt(2, "a", 0.5), doubt(3, "a", 0.55), doubt(4, "b", 0.6)]
    >>> [found.id for found in most_teaching(doubts, {})]
    [2, 4, 3, 1]
    """
    left = sorted(doubts, key=lambda doubt: (-_gain(doubt, links), doubt.id))
    seen: Counter[str] = Counter()
    keyed: list[tuple[float, int, DoubtfulPage]] = []
    for place, doubt in enumerate(left):
        # Each further page of a site teaches less.
        keyed.append((-_gain(doubt, links) / (1 + seen[doubt.host]), place, doubt))
        seen[doubt.host] += 1
    return [doubt for _, _, doubt in sorted(keyed, key=lambda found: found[:2])]


def _gain(doubt: DoubtfulPage, links: dict[int, LinkNumbers]) -> float:
    likely = 0.5 if math.isnan(doubt.probability) else doubt.probability
    cited = links[doubt.id].cited if doubt.id in links else 0
    return 4.0 * likely * (1.0 - likely) * (1.0 + math.log1p(cited) / 4.0)

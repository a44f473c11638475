"""Links between sites: the score of a site from the sites that link to it (Ester, Kriegel and Schubert, 4.2).

rank(W) is the mean, over the examined sites V that link to W, of the weight of V's links. The global weight is the
probability that V is relevant, the local one the mean probability of V's pages that link to W, and the combined one the
mean of both. However many links lead from V to W, V counts once. `breadth` weights all links equally, so sites are read
in the order in which they were found.

A plain mean ranks a site with one good link as high as a site with five. So the mean may include a few more sites of
usual weight, which the more links outweigh the more there are.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

EdgeWeight: TypeAlias = Literal["combined", "local", "global", "breadth"]

SOURCES: Final = 12
"""Number of linking sites remembered individually, the newest; earlier ones are kept as a sum."""

USUAL: Final = 0.2
"""The weight of the sites added by smoothing."""

LONGEST_ENTRY: Final = 300
"""Maximum length of an address that is kept in case the home page fails."""


class LinkMemo(Struct, frozen=True, omit_defaults=True, rename={"sources": "s", "entry": "e", "rest": "r"}):
    """What is known about a waiting link.

    For a home page: its `sources` as (number of the site, sum and count of the linking pages' probabilities,
    probability of the site), the `rest` of them as sum and count of weights, and an `entry`, a linked page of the site.
    For another page: the `worth` of the `links` to it, and the `tokens` of the first of them.
    """

    sources: tuple[tuple[int, float, int, float], ...] = ()
    rest: tuple[float, int] = (0.0, 0)
    entry: str = ""
    worth: float = 0.0
    links: int = 0
    tokens: tuple[int, ...] = ()


def source(number: int, pages: list[float], posterior: float) -> tuple[int, float, int, float]:
    """Return a linking site for a memo: the sum and count of its linking pages' probabilities, and its own."""
    return number, round(sum(pages), 3), len(pages), round(posterior, 3)


def rank(memo: LinkMemo, weight: EdgeWeight, smoothing: float = 0.0) -> float:
    """Return the rank of a site by the sites that link to it; 0 if there is none.

    `smoothing` is the number of sites of usual weight that the mean includes.

    >>> memo = LinkMemo(sources=((1, 1.4, 2, 0.6),))
    >>> rank(memo, "global"), rank(memo, "local"), round(rank(memo, "combined"), 2)
    (0.6, 0.7, 0.65)
    >>> round(rank(memo, "global", smoothing=1.0), 2)
    0.4
    """
    weights = [_weight(one, weight) for one in memo.sources]
    number = len(weights) + memo.rest[1]
    if not number or weight == "breadth":
        return 0.0
    return (sum(weights) + memo.rest[0] + smoothing * USUAL) / (number + smoothing)


def joined(waiting: LinkMemo, new: LinkMemo, weight: EdgeWeight) -> LinkMemo:
    """Return the union of two memos of one page; for a site in both, the one that knows more counts.

    >>> joined(LinkMemo(sources=((1, 0.5, 1, 0.5),)), LinkMemo(sources=((1, 1.3, 2, 0.9),)), "global").sources
    ((1, 1.3, 2, 0.9),)
    """
    if not new.sources and not waiting.sources:
        links = waiting.links + new.links
        return replace(waiting, worth=waiting.worth + new.worth, links=links, tokens=waiting.tokens or new.tokens)
    known = {one[0]: one for one in waiting.sources}
    rest = waiting.rest
    for one in new.sources:
        before = known.pop(one[0], one)
        # A site that is still being read offers its links again, so the one that was silent longest is dropped.
        known[one[0]] = one if one[2] >= before[2] else before
        if len(known) > SOURCES:
            oldest = known.pop(next(iter(known)))
            rest = (round(rest[0] + _weight(oldest, weight), 3), rest[1] + 1)
    return replace(waiting, sources=tuple(known.values()), rest=rest, entry=waiting.entry or new.entry)


def _weight(one: tuple[int, float, int, float], weight: EdgeWeight) -> float:
    _, pages, number, posterior = one
    local = pages / max(1, number)
    if weight == "breadth":
        return 0.0
    if weight == "local":
        return local
    return posterior if weight == "global" else (local + posterior) / 2

"""Combines the evidence of all known links to a URL: their mean, shrunk towards the average link, and their best.

A page with many inlinks will have a good one somewhere, so its best link says little and their sum nothing at all; the
mean says most. With one or two links, the mean is shrunk towards that of all links seen so far. The evidence is stored
in the memo of the waiting candidate, so it survives a kill and takes no memory in the strategy.
"""

from typing import Final, Self

from msgspec import Struct

PARENTS: Final = 8
"""Maximum number of linking pages remembered with a URL, the first ones."""

MOST_TOKENS: Final = 36
"""Maximum number of tokens remembered with a URL, to fit into a memo."""

BEST: Final = 0.2
"""Weight of the best link relative to the mean."""

DRAWN: Final = 1.0
"""Weight, in links, of the mean over all links when averaged with a URL's own."""

_DIGITS: Final = 4
_SHORT: Final = {
    "links": "n",
    "total": "s",
    "best": "m",
    "fixed": "w",
    "parents": "h",
    "tokens": "k",
    "counted": "c",
}
"""Short field names, because they are stored with every URL."""


class InlinkEvidence(Struct, frozen=True, gc=False, rename=_SHORT):
    """The evidence of the known links to a URL.

    `links` is their number, `total` the sum of their evidence, `best` the best, and `fixed` the best by the fixed
    scorer. `parents` are the numbers of the first linking pages, and `tokens` the words of the first `counted` links.

    >>> InlinkEvidence.of_link(2.0, 1.0, 7, [5]).joined(InlinkEvidence.of_link(0.0, 1.5, 8, [6]))
    InlinkEvidence(links=2, total=2.0, best=2.0, fixed=1.5, parents=[7, 8], tokens=[5, 6], counted=2)
    """

    links: int
    total: float
    best: float
    fixed: float
    parents: list[int]
    tokens: list[int]
    counted: int

    @classmethod
    def of_link(cls, value: float, fixed: float, parent: int, tokens: list[int]) -> Self:
        """Return the evidence of a URL with one link: `value` is the link's own, `fixed` that of the fixed scorer."""
        rounded = round(value, _DIGITS)
        return cls(1, rounded, rounded, round(fixed, _DIGITS), [parent], tokens, 1)

    def joined(self, new: Self) -> Self:
        """Return the evidence of a URL that was found again; a page already among its linking pages adds nothing."""
        if any(parent in self.parents for parent in new.parents):
            return self
        room = len(self.tokens) + len(new.tokens) <= MOST_TOKENS
        return type(self)(
            links=self.links + new.links,
            total=round(self.total + new.total, _DIGITS),
            best=max(self.best, new.best),
            fixed=max(self.fixed, new.fixed),
            parents=(self.parents + new.parents)[:PARENTS],
            tokens=self.tokens + new.tokens if room else self.tokens,
            counted=self.counted + new.counted if room else self.counted,
        )

    def together(self, general: float) -> float:
        """Return the combined evidence; `general` is the mean over all links seen.

        >>> round(InlinkEvidence.of_link(2.0, 1.0, 7, []).together(general=0.0), 2)
        1.2
        """
        mean = (self.total + DRAWN * general) / (self.links + DRAWN)
        return BEST * self.best + (1.0 - BEST) * mean

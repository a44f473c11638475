"""Records how many pages were accepted at each score: which scores are nearly certain, which nearly worthless.

Strategies use different scales: log-odds, probabilities, distances. So scores are grouped into classes whose width
grows with the score, sixteen per power of two. Only the first number of a priority counts.
"""

from math import frexp, inf, ldexp
from typing import Final

from thresher.shard.values import PriceClass

_STEPS: Final = 16
_ZERO: Final = 1100
"""Added to the power of two so that the classes of positive scores have positive numbers."""
_MOST: Final = 2.0**1000


def price_class(price: float) -> int:
    """Return the class number of a score; a higher score never has a lower class number.

    >>> [price_class(price) for price in (-2.0, 0.0, 2.0, 2.05, 2.2)]
    [-17632, 0, 17632, 17632, 17633]
    """
    if price < 0:
        return -price_class(-price)
    if not price > 0:
        # Stored scores may be NaN.
        return 0
    fraction, power = frexp(min(price, _MOST))
    return (power + _ZERO) * _STEPS + int((2 * fraction - 1) * _STEPS)


def lowest_of(number: int) -> float:
    """Return the lowest score of a class.

    >>> lowest_of(price_class(2.05)), lowest_of(price_class(0.0)), lowest_of(price_class(-2.05))
    (2.0, 0.0, -2.125)
    """
    if number <= -price_class(_MOST):
        return -inf
    if number < 0:
        return -lowest_of(1 - number)
    power, step = divmod(number, _STEPS)
    return ldexp(0.5 + step / (2 * _STEPS), power - _ZERO) if number else 0.0


class PriceRecord:
    """How many pages were fetched at scores of each class, and how many of them a topic accepted.

    >>> prices = PriceRecord()
    >>> for price, accepted in ((1.0, 0), (3.0, 1), (1.01, 0)):
    ...     prices.fetched(price, pages=1, accepted=accepted)
    >>> [(found.lowest, found.fetched, found.accepted) for found in prices.classes()]
    [(3.0, 1, 1), (1.0, 2, 0)]
    """

    def __init__(self) -> None:
        self._fetched: dict[int, tuple[int, int]] = {}

    def fetched(self, price: float, pages: int, accepted: int) -> None:
        """Count pages fetched at a score, and those of them that a topic accepted."""
        kind = price_class(price)
        before = self._fetched.get(kind, (0, 0))
        self._fetched[kind] = (before[0] + pages, before[1] + accepted)

    def classes(self) -> list[PriceClass]:
        """Return the classes at which pages were fetched, best first."""
        return [PriceClass(lowest_of(kind), *self._fetched[kind]) for kind in sorted(self._fetched, reverse=True)]

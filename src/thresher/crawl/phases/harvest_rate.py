"""The recent harvest rate of a crawl, and the condition under which the crawl ends."""

import re
from collections import deque
from typing import Final

from msgspec import Struct

from thresher.errors import InputError
from thresher.faults import RequestUnfit
from thresher.types import Judgement

_CONDITION: Final = re.compile(r"\s*harvest\s*<\s*(0?\.\d+|0|1(?:\.0*)?)\s*")


class HarvestRate:
    """The last `window` judged pages: the share accepted by a topic, and their mean confidence.

    The confidence of a rejected page counts as 0 (Sizov, equation 2.31, which is printed upside down). Both are None
    until the window is full: a crawl that has just begun has no rate.

    >>> rate = HarvestRate(window=2)
    >>> rate.count(Judgement(topic="A", confidence=1.0, probability=0.9)); rate.share()
    >>> rate.count(Judgement(topic=None, confidence=-0.5, probability=0.1)); rate.share(), rate.confidence()
    (0.5, 0.5)
    """

    def __init__(self, window: int = 200) -> None:
        if window < 1:
            raise ValueError("a window has at least one page")
        self.window = window
        self._accepted: deque[float | None] = deque(maxlen=window)

    def count(self, judgement: Judgement | None) -> None:
        """Add a page; a page that was not judged is ignored."""
        if judgement is not None:
            self._accepted.append(None if judgement.topic is None else max(0.0, judgement.confidence))

    def share(self) -> float | None:
        """Return the share of accepted pages, or None before the window is full."""
        return sum(conf is not None for conf in self._accepted) / self.window if self._full else None

    def confidence(self) -> float | None:
        """Return the mean confidence, or None before the window is full."""
        return sum(conf or 0.0 for conf in self._accepted) / self.window if self._full else None

    def clear(self) -> None:
        """Forget all pages; after a retraining the window fills again."""
        self._accepted.clear()

    @property
    def _full(self) -> bool:
        return len(self._accepted) == self.window


class Until(Struct, frozen=True):
    """A condition under which a crawl has done enough: its harvest rate has fallen below `harvest`."""

    harvest: float

    def reached(self, rate: HarvestRate) -> bool:
        """Return whether the share of accepted pages is known and too low."""
        share = rate.share()
        return share is not None and share < self.harvest


def until(written: str) -> Until | None:
    """Return the stop condition in a string, or None for an empty one; raise InputError if it is invalid.

    >>> until("harvest<0.1")
    Until(harvest=0.1)
    """
    if not written.strip():
        return None
    found = _CONDITION.fullmatch(written)
    if found is None:
        raise InputError(
            f"'{written[:100]}' is not a valid stop condition.", 'Write it like "harvest<0.1".', RequestUnfit()
        )
    return Until(float(found[1]))

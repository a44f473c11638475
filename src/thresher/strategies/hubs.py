"""Hubs: pages whose links led to the topic; credit is also passed back to the pages that link to them.

The worth of a page as a hub is the mean judgement of the fetched pages it links to, shrunk towards that of the whole
crawl. A fetched page credits the pages that link to it in full, and the pages before those with a share that falls with
each click, so an off-topic page that leads to a good one also gets credit (delayed credit).
"""

import math
from collections.abc import Iterable
from typing import Any, Final

from thresher.strategies.packing import packed, unpacked

DRAWN: Final = 4.0
"""Weight of the crawl's mean in the worth of a hub, in pages."""

CLICKS: Final = 3
"""Number of clicks that credit is passed back."""

_SUREST: Final = 1e-3


class Hubs:
    """Credit of fetched pages, by number; the `most` recently credited are remembered.

    `share` is the factor by which credit falls with each further click back. A judgement is a probability.

    >>> hubs = Hubs()
    >>> hubs.fetched(1, [], 0.1)
    >>> hubs.fetched(2, [1], 0.9)
    >>> hubs.lift([1]) > 0, hubs.lift([77])
    (True, 0.0)
    """

    def __init__(self, most: int = 20_000, share: float = 0.2) -> None:
        self.most = most
        self.share = share
        self._paid: dict[int, tuple[float, float, int]] = {}
        self._judged: dict[int, float] = {}
        self._read: dict[int, None] = {}
        self._total = 0.0
        self._pages = 0
        # Cache since the last credit: all links of a page ask for the same value.
        self._worths: dict[int, float] = {}
        self._general: float | None = None

    def fetched(self, page: int, parents: list[int], judgement: float) -> None:
        """Record how a page was judged, and credit the pages that link to it."""
        self._forget_worths()
        self._total += judgement
        self._pages += 1
        self._judged[page] = judgement
        _trim(self._judged, self.most)
        paid, weight, before = self._paid.get(page, (0.0, 0.0, 0))
        self._keep(page, (paid, weight, parents[0] if parents else before))
        for parent in parents:
            self._pay(parent, judgement, 1.0, deep=parent == parents[0])

    def linked(self, page: int, targets: Iterable[int]) -> None:
        """Credit a page for its links to pages fetched earlier."""
        self._forget_worths()
        for target in targets:
            judgement = self._judged.get(target)
            if judgement is not None and target != page:
                self._pay(page, judgement, 1.0, deep=False)

    def read(self, page: int) -> bool:
        """Record that the links of a page are read; return False if they were read before and have been credited."""
        if page in self._read:
            return False
        self._read[page] = None
        _trim(self._read, self.most)
        return True

    def judgement(self, page: int) -> float | None:
        """Return how a page was judged, or None if it was not judged or has been forgotten."""
        return self._judged.get(page)

    def lift(self, parents: list[int]) -> float:
        """Return how much the log-odds of these pages' link targets exceed those of the crawl, on average."""
        if not parents or not self._pages:
            return 0.0
        if self._general is None:
            self._general = _log_odds(self._total / self._pages)
        return sum([self._worth(parent) for parent in parents]) / len(parents) - self._general

    def state(self) -> dict[str, Any]:
        """Return everything as JSON data."""
        return {
            "paid": packed(
                list(self._paid),
                [entry[0] for entry in self._paid.values()],
                [entry[1] for entry in self._paid.values()],
                [entry[2] for entry in self._paid.values()],
            ),
            "judged": packed(list(self._judged), list(self._judged.values())),
            "read": packed(list(self._read)),
            "total": self._total,
            "pages": self._pages,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a saved state."""
        pages, paid, weights, before = (column.tolist() for column in unpacked(state["paid"], 4))
        whole = zip(map(int, pages), paid, weights, map(int, before), strict=True)
        self._paid = {page: (credit, weight, first) for page, credit, weight, first in whole}
        judged, judgements = (column.tolist() for column in unpacked(state["judged"], 2))
        self._judged = dict(zip(map(int, judged), judgements, strict=True))
        self._read = dict.fromkeys(map(int, unpacked(state["read"], 1)[0].tolist())) if "read" in state else {}
        self._total, self._pages = float(state["total"]), int(state["pages"])
        self._forget_worths()

    def _forget_worths(self) -> None:
        self._worths.clear()
        self._general = None

    def _worth(self, page: int) -> float:
        worth = self._worths.get(page)
        if worth is None:
            paid, weight, _ = self._paid.get(page, (0.0, 0.0, 0))
            worth = self._worths[page] = _log_odds((paid + DRAWN * self._total / self._pages) / (weight + DRAWN))
        return worth

    def _pay(self, page: int, judgement: float, weight: float, *, deep: bool) -> None:
        for _ in range(CLICKS if deep else 1):
            paid, total, before = self._paid.get(page, (0.0, 0.0, 0))
            self._keep(page, (paid + weight * judgement, total + weight, before))
            weight *= self.share
            if not before or not weight:
                return
            page = before

    def _keep(self, page: int, entry: tuple[float, float, int]) -> None:
        # The most recently changed entries come last; the first ones are forgotten first.
        self._paid.pop(page, None)
        self._paid[page] = entry
        _trim(self._paid, self.most)


def _trim(table: dict[int, Any], most: int) -> None:
    if len(table) > most:
        del table[next(iter(table))]


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, _SUREST), 1.0 - _SUREST)
    return math.log(bounded / (1.0 - bounded))

"""The slow lane: expensive pages are read and stored one at a time, so others do not wait.

A page costs time twice: a worker reads it, and the coordinator enters its links. A small page can make both take a
second or more. The time is charged to the domain of the page. The slow lane handles pages of domains that are costly on
average, large pages, and files of unknown domains. They are read by a low-priority worker, and after each one the lane
rests until the coordinator has had time for all others.
"""

import asyncio
from collections import OrderedDict
from typing import Final

from thresher.documents.analyse import HTML
from thresher.protocols import Clock
from thresher.reading.analysis import Analysis
from thresher.reading.fair_turns import REMEMBERED, FairTurns
from thresher.types import Failed, Fetched
from thresher.web.sitemaps import LIST
from thresher.web.urls import host_of, registered_domain

LARGE: Final = 1 << 20
"""Bodies of at least this many bytes are read in the slow lane."""

PAGES: Final = HTML | {"text/plain", LIST}
"""MIME types that are not read as files in a separate process."""

MANY_LINKS: Final = 2000
"""Pages with at least this many links are entered in the slow lane."""

COSTLY: Final = 0.3
"""Average seconds per page beyond which a domain is costly."""

SHARE: Final = 0.05
"""Share of the coordinator's time for pages in the slow lane while there are others."""

_RISE: Final = 0.5
_FALL: Final = 0.05
"""Weights of a page in its domain's average, if it took longer or not; cheap pages must not hide a costly one soon."""


class SlowLane:
    """Decides which pages are costly, lets them through one by one, and charges each page's time to its domain."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._turns = FairTurns(1, clock)
        self._means: OrderedDict[str, float] = OrderedDict()
        self._inside: str | None = None
        self._others = False

    def is_costly(self, answer: Fetched) -> bool:
        """Return whether an answer must take the slow lane, judging by its type, size and domain."""
        mean = self._means.get(_domain(answer.url))
        if answer.coding or len(answer.body) >= LARGE or (mean is None and answer.mime not in PAGES):
            return True
        return mean is not None and mean > COSTLY

    async def enter(self, url: str) -> None:
        """Wait until a page has the lane to itself; it keeps the lane until it is `handled`, or until `leave`."""
        await self._turns.enter(_domain(url))
        self._inside = url

    def admits(self, url: str, found: Analysis | Failed) -> bool:
        """Return whether a page read among others may continue: it is ordinary, or the lane is free.

        If the lane is free, a costly page takes it. If not, the page must `enter` and be read again: keeping the
        results of all waiting pages would take far more memory than the pages do.
        """
        if not isinstance(found, Analysis) or len(found.links) < MANY_LINKS:
            return True
        if not self._turns.enter_at_once():
            return False
        self._inside = url
        return True

    def leave(self, url: str) -> None:
        """Free the lane if this page has it but will not be handled."""
        if self._inside == url:
            self._inside = None
            self._turns.leave()

    def broke_off(self, url: str) -> None:
        """Record that a page took too long among others: its domain is costly."""
        self._note(_domain(url), 2 * COSTLY / _RISE)

    def handled(self, url: str, reading: float | None, handling: float) -> None:
        """Charge a page with the seconds it took to read and to enter; a page in the lane leaves it.

        The lane then rests, if any other page has been handled meanwhile. `reading` is None for a page that could not
        be read: it says nothing about the pages of its domain.
        """
        domain = _domain(url)
        if reading is not None:
            self._note(domain, reading + handling)
        if self._inside != url:
            self._others = True
            return
        self._turns.charge(domain, (reading or 0.0) + handling)
        rest = handling * (1 / SHARE - 1) if self._others else 0.0
        self._others = False
        self._inside = None
        if rest > 0:
            asyncio.get_running_loop().call_later(rest, self._turns.leave)
        else:
            self._turns.leave()

    def _note(self, domain: str, seconds: float) -> None:
        mean = self._means.get(domain, 0.0)
        self._means[domain] = mean + (_RISE if seconds > mean else _FALL) * (seconds - mean)
        self._means.move_to_end(domain)
        if len(self._means) > REMEMBERED:
            self._means.popitem(last=False)


def _domain(url: str) -> str:
    return registered_domain(host_of(url))

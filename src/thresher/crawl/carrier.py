"""The carrier: does one errand, from the request to the analysis of what came back."""

from typing import Final

from msgspec.structs import replace

from thresher.protocols import Fetcher
from thresher.reading.analysis import Analyser, Analysis
from thresher.shard.values import Errand
from thresher.types import Answer, Candidate, Failed, Fetched, Redirected
from thresher.web.sitemaps import LIST
from thresher.web.urls import canonical

ROBOTS_HOPS: Final = 5
"""Redirects followed on the way to a robots file (RFC 9309)."""

HEAVY: Final = 16 << 20
"""Bytes of pages waiting to be read beyond which nothing more should be fetched."""


class Carrier:
    """Fetches pages and robots files and has pages analysed; remembers how much waits to be read."""

    def __init__(self, fetcher: Fetcher, analyser: Analyser) -> None:
        self._fetcher = fetcher
        self._analyser = analyser
        self._in_hand = 0

    @property
    def laden(self) -> bool:
        """Tell whether so much waits to be read that fetching more would only fill the memory."""
        return self._in_hand > HEAVY

    async def carry(self, errand: Errand) -> tuple[Answer, Analysis | None]:
        """Return the answer to an errand, and the analysis where it is a page that could be read."""
        if errand.robots:
            return await self._robots(errand.candidate), None
        return await self._page(errand.candidate)

    async def _page(self, candidate: Candidate) -> tuple[Answer, Analysis | None]:
        answer = await self._fetcher.fetch(candidate)
        if not isinstance(answer, Fetched):
            return answer, None
        self._in_hand += len(answer.body)
        try:
            # A list is read as one, whatever its label says; the archive keeps the label.
            result = await self._analyser.analyse(replace(answer, mime=LIST) if candidate.lists else answer)
        finally:
            self._in_hand -= len(answer.body)
        return (result, None) if isinstance(result, Failed) else (answer, result)

    async def _robots(self, candidate: Candidate) -> Answer:
        answer = await self._fetcher.fetch(candidate)
        for _ in range(ROBOTS_HOPS):
            target = canonical(answer.to) if isinstance(answer, Redirected) else None
            if target is None:
                break
            answer = await self._fetcher.fetch(Candidate(url=target, priority=()))
        return answer

"""An analyser that can be exchanged while a crawl runs: pages in work are finished by the one that began them."""

from thresher.reading.analysis import Analyser, Analysis
from thresher.types import Failed, Fetched


class RenewableAnalyser:
    """Hands every page to the newest analyser, and closes one that was replaced when its last page is done."""

    def __init__(self, first: Analyser) -> None:
        self._current = first
        self._busy: dict[Analyser, int] = {first: 0}

    async def analyse(self, fetched: Fetched) -> Analysis | Failed:
        """Return the analysis, or why there is none."""
        mine = self._current
        self._busy[mine] += 1
        try:
            return await mine.analyse(fetched)
        finally:
            self._busy[mine] -= 1
            await self._retire(mine)

    async def renew(self, analyser: Analyser) -> None:
        """Hand pages to another analyser from now on."""
        before, self._current = self._current, analyser
        self._busy[analyser] = 0
        await self._retire(before)

    async def close(self) -> None:
        """Close all analysers; none can be used afterwards."""
        for analyser in list(self._busy):
            await analyser.close()
        self._busy.clear()

    async def _retire(self, analyser: Analyser) -> None:
        if analyser is not self._current and self._busy.get(analyser) == 0:
            del self._busy[analyser]
            await analyser.close()

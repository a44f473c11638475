"""Arrivals in doubt: failures while our own line may be down, kept until a host that answered lately is asked."""

from thresher.crawl.arrivals import Arrival
from thresher.crawl.outage import Outage, is_lost
from thresher.protocols import Fetcher
from thresher.types import Candidate


class Doubt:
    """Holds arrivals back while many hosts in a row cannot be reached, and finds out whose fault it was."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._held: list[Arrival] = []
        self._cleared: list[Arrival] = []
        self._asking = False
        self.outage = Outage()

    def __bool__(self) -> bool:
        return bool(self._held or self._cleared)

    def holds(self, arrival: Arrival) -> bool:
        """Take note of an arrival; return True where it is held back for now."""
        held = self.outage.note(arrival.errand.host, arrival.answer)
        if held:
            self._held.append(arrival)
        return held

    def cleared(self) -> list[Arrival]:
        """Return, once, what was held back and turned out to be the hosts' own fault."""
        cleared, self._cleared = self._cleared, []
        return cleared

    def given_up(self, at_once: bool = False) -> list[Arrival]:
        """Return, once, what nobody is to be blamed for: there is no witness to ask, or it is asked for `at_once`."""
        if self.outage.witnesses and not at_once:
            return []
        held, self._held = self._held, []
        return held

    def may_try(self, under_way: int, now: float) -> bool:
        """Tell whether one more fetch may be tried while we seem to be offline.

        What is under way is still waited for, unless there is a witness to ask.
        """
        alone = not under_way or (bool(self.outage.witnesses) and not self._asking)
        return alone and self.outage.may_try(now)

    def witness(self) -> str | None:
        """Return the origin to ask, and take it that it will be; None where there is none."""
        origin = self.outage.witness()
        self._asking = self._asking or origin is not None
        return origin

    async def ask(self, origin: str) -> list[Arrival]:
        """Ask a host that answered lately for its robots file; return what may be given back where it is lost too."""
        answer = await self._fetcher.fetch(Candidate(url=f"{origin}/robots.txt", priority=()))
        self._asking = False
        if is_lost(answer) and not answer.ip:
            return self.given_up(at_once=True)
        self.outage.online()
        self._cleared, self._held = self._cleared + self._held, []
        return []

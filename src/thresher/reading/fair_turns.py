"""Shares a few slots fairly: whoever has used the least time lately goes first."""

import asyncio
import math
from collections import OrderedDict, deque
from heapq import heappop, heappush
from itertools import count
from typing import Final

from thresher.protocols import Clock

MEMORY: Final = 60.0
"""Half-life, in seconds, of what a name has used."""

REMEMBERED: Final = 10_000
"""Number of names to remember; the one unused for longest is forgotten first."""


class FairTurns:
    """Hands out `places` by name, such as the domain of a page, and counts the time each name has used.

    The waiting name that has used the fewest seconds lately goes next; ties go to whoever came first. So nobody gets
    more by asking more often, and a new name does not queue behind the backlog of another.
    """

    def __init__(self, places: int, clock: Clock) -> None:
        self._free = places
        self._clock = clock
        self._numbers = count()
        self._waiting: dict[str, deque[tuple[int, asyncio.Future[None]]]] = {}
        # Each waiting name once, by what it had used and the number of its first waiter. What it has used since only
        # makes it later, so it is looked up when its turn comes.
        self._next: list[tuple[float, int, str]] = []
        # By name, the binary logarithm of the seconds used plus the half-lives at which they were counted: all names
        # decay alike, so these numbers keep their order as time passes.
        self._used: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        """Return the number of waiters."""
        return sum(not turn.done() for waiting in self._waiting.values() for _, turn in waiting)

    def used(self, name: str) -> float:
        """Return how many seconds a name has used lately; older use counts less."""
        return float(2.0 ** (self._logged(name) - self._clock.now() / MEMORY))

    def enter_at_once(self) -> bool:
        """Take a place if one is free and nobody waits; return whether it was taken."""
        if not self._free or self._waiting:
            return False
        self._free -= 1
        return True

    async def enter(self, name: str) -> None:
        """Wait for a place; `leave` must follow."""
        if self.enter_at_once():
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        number = next(self._numbers)
        if name not in self._waiting:
            self._waiting[name] = deque()
            heappush(self._next, (self._logged(name), number, name))
        self._waiting[name].append((number, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.leave()
            raise

    def charge(self, name: str, seconds: float) -> None:
        """Count the seconds a name has used."""
        used = self.used(name) + seconds
        if used <= 0.0:
            return
        self._used[name] = math.log2(used) + self._clock.now() / MEMORY
        self._used.move_to_end(name)
        if len(self._used) > REMEMBERED:
            self._used.popitem(last=False)

    def leave(self) -> None:
        """Release a place; the next waiter takes it."""
        self._free += 1
        while self._free and self._next:
            before, number, name = heappop(self._next)
            if (used := self._logged(name)) > before:
                heappush(self._next, (used, number, name))
                continue
            waiting = self._waiting[name]
            _, turn = waiting.popleft()
            if waiting:
                heappush(self._next, (used, waiting[0][0], name))
            else:
                del self._waiting[name]
            # Skip waiters that have given up.
            if not turn.done():
                self._free -= 1
                turn.set_result(None)

    def _logged(self, name: str) -> float:
        return self._used.get(name, -math.inf)

"""Shares a few slots fairly: whoever has used the least time lately goes first."""

import asyncio
import math
from collections import OrderedDict
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
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []
        # By name, the binary logarithm of the seconds used plus the half-lives at which they were counted: all names
        # decay alike, so these numbers keep their order as time passes.
        self._used: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        """Return the number of waiters."""
        return sum(not turn.done() for _, turn in self._waiting)

    def used(self, name: str) -> float:
        """Return how many seconds a name has used lately; older use counts less."""
        return float(2.0 ** (self._used.get(name, -math.inf) - self._clock.now() / MEMORY))

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
        self._waiting.append((name, turn))
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
        while self._free and self._waiting:
            used = [self._used.get(name, -math.inf) for name, _ in self._waiting]
            _, turn = self._waiting.pop(used.index(min(used)))
            # Skip waiters that have given up.
            if not turn.done():
                self._free -= 1
                turn.set_result(None)

"""Room for bodies: what all answers under way may take in memory together, however many servers send at once."""

import asyncio
from typing import Final

TOTAL: Final = 16 << 20
FREE: Final = 1 << 17


class BodyRoom:
    """Shares `total` bytes among the bodies that are being received; the first `free` bytes of each cost nothing.

    A body that finds no room waits, and its server with it, until another is done. The one that has been there longest
    never waits, so that there is always one that comes to its end. A slow server can so hold up large bodies only, and
    only until its deadline.
    """

    def __init__(self, total: int = TOTAL, free: int = FREE) -> None:
        self._total = total
        self._free = free
        self._held: dict[object, int] = {}
        self._left = asyncio.Event()

    @property
    def held(self) -> int:
        """Bytes that are taken now, free ones left out."""
        return sum(self._held.values())

    async def take(self, body: object, size: int) -> None:
        """Wait until a body may be so large; `leave` must follow."""
        if size <= self._free:
            return
        mine = self._held.setdefault(body, 0)
        while self.held - mine + size > self._total and next(iter(self._held)) is not body:
            self._left.clear()
            await self._left.wait()
        self._held[body] = size

    def leave(self, body: object) -> None:
        """Give back what a body took."""
        if self._held.pop(body, None) is not None:
            self._left.set()

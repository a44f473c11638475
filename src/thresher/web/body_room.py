"""Limits the total memory of all response bodies, from the first byte until they are read."""

import asyncio
import weakref
from typing import Final

TOTAL: Final = 16 << 20
FREE: Final = 1 << 17
LARGE: Final = 1 << 20
WAITING: Final = 64
LARGE_WAITING: Final = 4


class BodyRoom:
    """Shares memory among bodies being received or waiting to be read; the first `free` bytes of each cost nothing.

    Bodies of more than `large` bytes share `total` bytes among themselves, and all others share as many. A body without
    room waits, and its server with it, until another has been read. The oldest body never waits, so one can always
    finish. Only a few large bodies may wait, so they cannot take the room and the connections of all others; the next
    is refused.
    """

    def __init__(self, total: int = TOTAL, free: int = FREE, large: int = LARGE) -> None:
        self._free = free
        self._large = large
        self._usual_share = _Share(total, WAITING)
        self._large_share = _Share(total, LARGE_WAITING)

    @property
    def held(self) -> int:
        """Bytes taken now, without free ones."""
        return self._usual_share.held + self._large_share.held

    @property
    def refuses_large(self) -> bool:
        """Whether so many large bodies are waiting that the next would be refused."""
        return self._large_share.crowded

    async def take(
        self, body: object, size: int, deadline: asyncio.Timeout | None = None, *, large: bool = False
    ) -> bool:
        """Wait until a body may hold this many bytes; return False if too many bodies are waiting.

        Release the room with `leave` or `leave_with`. A body known to become `large` counts as large from the start.
        Time spent waiting does not count towards the `deadline` of the exchange, since the server is not to blame.
        """
        if size <= self._free:
            return True
        if size <= self._large and not large:
            return await self._usual_share.take(body, size, deadline)
        if not await self._large_share.take(body, size, deadline):
            return False
        self._usual_share.leave(body)
        return True

    def leave(self, body: object) -> None:
        """Release the room of a body."""
        self._usual_share.leave(body)
        self._large_share.leave(body)

    def leave_with(self, answer: object, body: object) -> None:
        """Release the room of a body once the answer that contains it is no longer in memory."""
        if self._usual_share.holds(body) or self._large_share.holds(body):
            weakref.finalize(answer, self.leave, body).atexit = False


class _Share:
    """A total of `total` bytes shared by bodies; at most `waiting` bodies wait for more."""

    def __init__(self, total: int, waiting: int) -> None:
        self._total = total
        self._may_wait = waiting
        self._waiting = 0
        self._held: dict[object, int] = {}
        self._left = asyncio.Event()

    @property
    def held(self) -> int:
        return sum(self._held.values())

    @property
    def crowded(self) -> bool:
        return self._waiting >= self._may_wait

    def holds(self, body: object) -> bool:
        return body in self._held

    async def take(self, body: object, size: int, deadline: asyncio.Timeout | None) -> bool:
        if not self._fits(body, size):
            if self.crowded:
                return False
            self._held.setdefault(body, 0)
            await self._wait(body, size, deadline)
        self._held[body] = size
        return True

    def leave(self, body: object) -> None:
        if self._held.pop(body, None) is not None:
            self._left.set()

    async def _wait(self, body: object, size: int, deadline: asyncio.Timeout | None) -> None:
        time = asyncio.get_running_loop().time
        end = deadline.when() if deadline is not None else None
        left = end - time() if end is not None else 0.0
        if deadline is not None:
            deadline.reschedule(None)
        self._waiting += 1
        try:
            while not self._fits(body, size):
                self._left.clear()
                await self._left.wait()
        finally:
            self._waiting -= 1
        if deadline is not None and end is not None:
            deadline.reschedule(time() + left)

    def _fits(self, body: object, size: int) -> bool:
        first = next(iter(self._held), body)
        return first is body or self.held - self._held.get(body, 0) + size <= self._total

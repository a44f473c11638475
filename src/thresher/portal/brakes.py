"""Brakes: how often an address may send a form, and how long one must wait after wrong passwords."""

import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

_MOST: Final = 10_000
"""Senders that are remembered; of more, those seen longest ago are forgotten."""


class RateLimit:
    """Lets each sender do something `number` times in `seconds`."""

    def __init__(self, number: int, seconds: float, clock: Callable[[], float]) -> None:
        self._number = number
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def wait(self, sender: str) -> float:
        """Count one try and return 0, or return the seconds until the next is welcome, without counting it."""
        with self._lock:
            now = self._clock()
            times = self._times.setdefault(sender, deque())
            self._times.move_to_end(sender)
            while times and times[0] <= now - self._seconds:
                times.popleft()
            if len(times) >= self._number:
                return times[0] + self._seconds - now
            times.append(now)
            while len(self._times) > _MOST:
                self._times.popitem(last=False)
            return 0.0


class GuessBrake:
    """After `free` wrong passwords each more doubles the wait, from `first` seconds up to `longest`.

    Both the account and the sender are counted, so that neither many addresses against one account nor one address
    against many accounts helps.
    """

    def __init__(
        self, clock: Callable[[], float], *, free: int = 5, first: float = 30.0, longest: float = 3600.0
    ) -> None:
        self._clock = clock
        self._free = free
        self._first = first
        self._longest = longest
        self._lock = threading.Lock()
        self._misses: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait(self, *names: str) -> float:
        """Return the seconds until any of some names may try again, 0 for now."""
        with self._lock:
            now = self._clock()
            return max((self._until(name) - now for name in names), default=0.0) if names else 0.0

    def missed(self, *names: str) -> None:
        """Count a wrong password for each of some names."""
        with self._lock:
            for name in names:
                count, _ = self._misses.get(name, (0, 0.0))
                self._misses[name] = (count + 1, self._clock())
                self._misses.move_to_end(name)
            while len(self._misses) > _MOST:
                self._misses.popitem(last=False)

    def passed(self, *names: str) -> None:
        """Forget the wrong passwords of some names."""
        with self._lock:
            for name in names:
                self._misses.pop(name, None)

    def _until(self, name: str) -> float:
        count, last = self._misses.get(name, (0, 0.0))
        if count < self._free:
            return 0.0
        return last + min(self._longest, self._first * 2.0 ** min(count - self._free, 20))

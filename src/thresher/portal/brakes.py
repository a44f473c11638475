"""Rate limits: how often an address may submit a form, and how long to wait after wrong passwords.

Attempts are stored in the repository, so the limits apply across all processes that serve a portal and survive
restarts.
"""

from collections.abc import Callable
from typing import Final

from thresher.store.tries import Tries
from thresher.tokens import digest

GUESSES: Final = "guesses"
_ENDLESS: Final = 1_000_000


class RateLimit:
    """Allows each sender `number` attempts of a `kind` within `seconds`."""

    def __init__(self, tries: Tries, kind: str, number: int, seconds: float, clock: Callable[[], float]) -> None:
        self._tries = tries
        self._kind = kind
        self._number = number
        self._seconds = seconds
        self._clock = clock

    def wait(self, sender: str) -> float:
        """Count an attempt and return 0, or return the seconds to wait if the limit is reached, without counting it."""
        now = self._clock()
        first = self._tries.take(self._kind, digest(sender), now, now - self._seconds, self._number)
        return 0.0 if first is None else first + self._seconds - now


class GuessBrake:
    """Doubles the wait with each wrong password after the first `free` ones, from `first` seconds up to `longest`.

    Attempts are counted both per account and per sender, so neither many addresses against one account nor one address
    against many accounts gets around the limit. A wrong password is forgotten after a day.
    """

    def __init__(
        self,
        tries: Tries,
        clock: Callable[[], float],
        *,
        free: int = 5,
        first: float = 30.0,
        longest: float = 3600.0,
    ) -> None:
        self._tries = tries
        self._clock = clock
        self._free = free
        self._first = first
        self._longest = longest

    def wait(self, *names: str) -> float:
        """Return the seconds until all of some names may try again, 0 if they may now."""
        now = self._clock()
        return max((self._until(name, now) - now for name in names), default=0.0)

    def missed(self, *names: str) -> None:
        """Count a wrong password for each of some names."""
        now = self._clock()
        for name in names:
            self._tries.take(GUESSES, digest(name), now, now, _ENDLESS)

    def passed(self, *names: str) -> None:
        """Forget the wrong passwords of some names."""
        for name in names:
            self._tries.forget(GUESSES, digest(name))

    def _until(self, name: str, now: float) -> float:
        count, last = self._tries.counted(GUESSES, digest(name), now)
        if count < self._free:
            return 0.0
        return last + min(self._longest, self._first * 2.0 ** min(count - self._free, 20))

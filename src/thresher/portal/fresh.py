"""Caches values that are expensive to compute and may be a few seconds old."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_LONG: Final = 5.0
"""Maximum age of a value that is shown while a newer one is computed, as a multiple of the usual age."""

_REST: Final = 20.0
"""Minimum time for which a value is used, as a multiple of the time it took to compute."""


class Fresh(Generic[T]):
    """Keeps a value, and recomputes it if it is older than some seconds and the portal has changed.

    The first caller waits for the value, as does one that comes after a long period without calls. Otherwise a thread
    recomputes it while callers get the old value, so a running crawl, which changes the portal constantly, makes nobody
    wait. Expensive values are recomputed less often.
    """

    def __init__(
        self, make: Callable[[], T], version: Callable[[], object], seconds: float, clock: Callable[[], float]
    ):
        self._make = make
        self._version = version
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: tuple[T, object, float] | None = None
        self._rest = 0.0

    def get(self) -> T:
        """Return the value, at most some seconds behind the portal."""
        kept = self._kept
        if kept is not None and self._age(kept) < max(self._seconds, self._rest):
            return kept[0]
        if kept is not None and self._age(kept) < _LONG * max(self._seconds, self._rest):
            if self._lock.acquire(blocking=False):
                threading.Thread(target=self._renew_aside, name="fresh", daemon=True).start()
            return kept[0]
        with self._lock:
            return self._renewed()

    def _age(self, kept: tuple[T, object, float]) -> float:
        return self._clock() - kept[2]

    def _renew_aside(self) -> None:
        """Recompute the value in a thread that holds the lock; after a failure the old value stays."""
        try:
            self._renewed()
        except Exception:
            logging.getLogger("thresher.portal").exception("renewing")
            if self._kept is not None:
                self._kept = (*self._kept[:2], self._clock())
        finally:
            self._lock.release()

    def _renewed(self) -> T:
        kept, now = self._kept, self._clock()
        if kept is not None and self._age(kept) < max(self._seconds, self._rest):
            return kept[0]
        started = time.perf_counter()
        version = self._version()
        value = kept[0] if kept is not None and kept[1] == version else self._make()
        self._kept = (value, version, now)
        self._rest = _REST * (time.perf_counter() - started)
        return value

    def forget(self) -> None:
        """Recompute the value for the next caller."""
        self._kept = None

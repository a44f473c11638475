"""Values that are dear to compute and may be a few seconds old."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Fresh(Generic[T]):
    """Keeps a value and computes it anew when it is old and the portal has changed.

    Only the first caller waits. Afterwards one caller computes while the others get what is there, so that a running
    crawl, which changes the portal all the time, makes nobody wait.
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

    def get(self) -> T:
        """Return the value, at most some seconds behind the portal."""
        kept = self._kept
        if kept is not None and self._clock() - kept[2] < self._seconds:
            return kept[0]
        if not self._lock.acquire(blocking=kept is None):
            return kept[0] if kept is not None else self.get()
        try:
            return self._renewed()
        finally:
            self._lock.release()

    def _renewed(self) -> T:
        kept, now = self._kept, self._clock()
        if kept is not None and now - kept[2] < self._seconds:
            return kept[0]
        version = self._version()
        value = kept[0] if kept is not None and kept[1] == version else self._make()
        self._kept = (value, version, now)
        return value

    def forget(self) -> None:
        """Have the value computed anew for the next caller."""
        self._kept = None

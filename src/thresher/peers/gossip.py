"""Exchanges neighbour lists from time to time, in a thread of the process that serves a portal."""

import logging
import threading
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final

from thresher.store.tries import Tries

_KIND: Final = "peer-gossip"
_NAME: Final = blake2b(b"", digest_size=16).digest()
_SHORTEST: Final = 1.0


class Gossip:
    """Calls `exchange` every `interval` seconds; only one of several processes serving a portal does so at a time."""

    def __init__(self, exchange: Callable[[], Any], tries: Tries, clock: Callable[[], float], interval: float) -> None:
        self._exchange = exchange
        self._tries = tries
        self._clock = clock
        self._interval = max(_SHORTEST, interval)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="peers", daemon=True)

    def start(self) -> None:
        """Start; the first exchange happens at once."""
        self._thread.start()

    def stop(self) -> None:
        """Stop; return when the thread has ended or is busy for too long."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._over.is_set():
            now = self._clock()
            if self._tries.take(_KIND, _NAME, now, now - self._interval * 0.9, 1) is None:
                try:
                    self._exchange()
                except Exception:  # Whatever fails now may work next time.
                    logging.getLogger("thresher.peers").exception("exchange of neighbour lists")
            self._over.wait(self._interval)

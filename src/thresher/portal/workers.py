"""Serves a portal with several processes that share one socket, since each uses only one processor."""

import os
import selectors
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Final

import msgspec

from thresher.errors import PortalError
from thresher.portal.worker import Order

LARGE: Final = 20_000
"""Number of pages from which a portal is worth several processes."""

MOST: Final = 4
"""Maximum number of processes by default."""

_SHORT_LIFE: Final = 10.0
_PATIENCE: Final = 10.0


def usual_workers(pages: int) -> int:
    """Return the default number of processes for a portal: one per processor if it is large."""
    return min(MOST, os.cpu_count() or 1) if pages >= LARGE else 1


class Workers:
    """Processes that serve a portal; one that ends is replaced."""

    def __init__(self, order: Order, listening: socket.socket, number: int) -> None:
        self._order = order
        self._listening = listening
        self._number = number
        self._selector = selectors.DefaultSelector()
        self._running: dict[int, tuple[subprocess.Popen[bytes], float]] = {}

    def run(self, ready: Callable[[], None]) -> None:
        """Serve until Ctrl-C; `ready` is called once all processes answer. Raises PortalError if one cannot start."""
        try:
            for _ in range(self._number):
                self._start()
            waiting = self._number
            while True:
                for key, _ in self._selector.select():
                    if os.read(key.fd, 100):
                        waiting -= 1
                        if waiting == 0:
                            ready()
                    else:
                        self._replace(key.fd)
        finally:
            self._stop()

    def _start(self) -> None:
        worker = subprocess.Popen(
            [sys.executable, "-m", "thresher.portal.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(self._order.descriptor,),
            # Ctrl-C is for this process, which then ends the others in order.
            start_new_session=True,
        )
        if worker.stdin is None or worker.stdout is None:
            raise RuntimeError(worker.args)
        worker.stdin.write(msgspec.json.encode(self._order) + b"\n")
        worker.stdin.flush()
        self._running[worker.stdout.fileno()] = worker, time.monotonic()
        self._selector.register(worker.stdout.fileno(), selectors.EVENT_READ)

    def _replace(self, descriptor: int) -> None:
        worker, started = self._running.pop(descriptor)
        self._selector.unregister(descriptor)
        _end(worker)
        if time.monotonic() - started < _SHORT_LIFE:
            raise PortalError(
                "A process that serves the portal ended at once.", "Serve it with --workers 1 to see why."
            )
        self._start()

    def _stop(self) -> None:
        for worker, _ in self._running.values():
            if worker.stdin is not None:
                worker.stdin.close()
        for worker, _ in self._running.values():
            _end(worker)
        self._selector.close()


def _end(worker: subprocess.Popen[bytes]) -> None:
    """Wait for a worker to end, and kill it if it hangs."""
    for pipe in (worker.stdin, worker.stdout):
        if pipe is not None:
            pipe.close()
    try:
        worker.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.wait()

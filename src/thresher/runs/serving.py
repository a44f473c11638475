"""Serves an application over HTTP until stopped."""

import asyncio
import socket
import sys
import threading
from collections.abc import Callable
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from thresher.errors import InputError

SWITCH: Final = 0.001
"""Seconds after which a thread that computes lets another one run.

Every row that a request reads from the database gives other threads a turn. With Python's five milliseconds, a page
made of many rows waits that long for each of them while other requests compute.
"""


class _Server(uvicorn.Server):
    """A server that reports when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise InputError if the host or port is not available."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host.strip("[]"), port))
        found.listen(512)
    except (OSError, OverflowError) as error:
        found.close()
        raise InputError(
            f"{host}:{port} cannot be used: {getattr(error, 'strerror', None) or error}.",
            "Choose another port, or 0 for any.",
        ) from None
    return found


def serve(app: ASGIApp, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve an application on a socket until Ctrl-C; call `ready` once it answers.

    If this thread runs an event loop, as a notebook's does, the application is served from another thread.
    """
    sys.setswitchinterval(SWITCH)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=False,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=3,
    )
    server = _Server(config, ready)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        server.run(sockets=[listening])
    else:
        _serve_in_thread(server, listening)


def _serve_in_thread(server: _Server, listening: socket.socket) -> None:
    """Run a server in a thread of its own and wait for it; an interrupt of the waiting thread stops it."""
    ended = threading.Event()
    failed: list[BaseException] = []

    def run() -> None:
        try:
            server.run(sockets=[listening])
        except BaseException as error:
            failed.append(error)
        finally:
            ended.set()

    threading.Thread(target=run, name="thresher serve", daemon=True).start()
    try:
        ended.wait()
    finally:
        server.should_exit = True
        ended.wait()
    if failed:
        raise failed[0]

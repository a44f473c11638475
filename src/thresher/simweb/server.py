"""The generated web as an HTTP server on loopback; hosts are distinguished by the Host field, with an access log."""

import asyncio
import signal
import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Final

from thresher.errors import InputError
from thresher.simweb.access_log import Access, AccessLog, InProgress
from thresher.simweb.answers import Responder, SimAnswer, answer
from thresher.simweb.http_requests import MAX_HEAD, BadRequest, RequestHead, take_head
from thresher.simweb.web import Web

_PHRASES: Final = {status.value: status.phrase for status in HTTPStatus}


class SimServer:
    """Serves a planned web on 127.0.0.1; port 0 picks a free one, which is in `port` after `start`.

    Requests for hosts that the web does not have are answered with 421. `log_path` names the access log, if any.
    """

    def __init__(self, web: Web | Responder, port: int = 0, log_path: Path | str | None = None) -> None:
        self.web = web
        self.port = port
        self.progress = InProgress()
        self.connections: set[asyncio.Transport] = set()
        self._log_path = log_path
        self._log: AccessLog | None = None
        self._server: asyncio.Server | None = None
        self._since = 0.0

    async def start(self) -> None:
        """Listen; raise InputError if the port is taken or the log cannot be written."""
        self._log = AccessLog(self._log_path) if self._log_path is not None else None
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(lambda: _Connection(self), "127.0.0.1", self.port, backlog=512)
        except (OSError, OverflowError) as error:
            raise InputError(f"Port {self.port} cannot be used.", "Choose another one, or 0 for any.") from error
        self.port = self._server.sockets[0].getsockname()[1]
        self._since = time.monotonic()

    async def stop(self) -> None:
        """Close the listening socket, every connection and the log; safe to call twice."""
        if self._server is not None:
            self._server.close()
            for transport in list(self.connections):
                transport.abort()
            await self._server.wait_closed()
            await asyncio.sleep(0)
            self._server = None
        if self._log is not None:
            self._log.close()
            self._log = None

    def answer(self, request: RequestHead) -> SimAnswer | None:
        """Return the web's answer at this moment."""
        now = time.monotonic() - self._since
        return answer(self.web, request.method, request.host, request.target, now, request.conditions)

    def log(self, access: Access) -> None:
        """Write a line to the access log, if there is one."""
        if self._log is not None:
            self._log.write(access)


class _Connection(asyncio.Protocol):
    """One connection: requests are answered one after the other, in order."""

    def __init__(self, server: SimServer) -> None:
        self._server = server
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._current: tuple[RequestHead, float, int] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._writable = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._server.connections.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._transport is not None:
            self._server.connections.discard(self._transport)
        self._transport = None
        if self._current is not None:
            self._finish(None, 0, 0)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._go_on()

    def pause_writing(self) -> None:
        self._writable = False

    def resume_writing(self) -> None:
        self._writable = True
        self._go_on()

    def _go_on(self) -> None:
        """Answer received requests as far as possible."""
        while self._transport is not None and not self._transport.is_closing():
            if self._current is not None or not self._writable:
                # A client that keeps sending without reading is paused until it has caught up.
                if len(self._buffer) > 4 * MAX_HEAD:
                    self._transport.pause_reading()
                return
            self._transport.resume_reading()
            request = take_head(self._buffer)
            if request is None:
                return
            if isinstance(request, BadRequest):
                self._send(SimAnswer(request.status, [("Content-Length", "0")]), keep_alive=False)
                return
            self._begin(request)

    def _begin(self, request: RequestHead) -> None:
        self._current = (request, time.time(), self._server.progress.arrive(request.host))
        reply = self._server.answer(request) or SimAnswer(421, [("Content-Length", "0")])
        if reply.hang:
            return
        if reply.delay > 0:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(reply.delay, self._answer_late, reply)
        else:
            self._answer(reply)

    def _answer_late(self, reply: SimAnswer) -> None:
        self._timer = None
        self._answer(reply)
        self._go_on()

    def _answer(self, reply: SimAnswer) -> None:
        if self._current is None:
            return
        keep_alive = self._current[0].keep_alive
        # The line is in the log before the answer can have any effect on the client.
        self._finish(time.time(), reply.status, len(reply.body))
        self._send(reply, keep_alive)

    def _finish(self, answered: float | None, status: int, size: int) -> None:
        if self._current is None:
            return
        request, received, others = self._current
        self._current = None
        self._server.progress.leave(request.host)
        self._server.log(
            Access(
                received=received,
                answered=answered,
                host=request.host,
                target=request.target,
                status=status,
                agent=request.agent,
                bytes=size,
                in_progress=others,
            )
        )

    def _send(self, reply: SimAnswer, keep_alive: bool) -> None:
        if self._transport is None:
            return
        lines = [f"HTTP/1.1 {reply.status} {_PHRASES.get(reply.status, 'Unknown')}"]
        lines += [f"{name}: {value}" for name, value in reply.headers]
        lines.append(f"Connection: {'keep-alive' if keep_alive else 'close'}\r\n\r\n")
        self._transport.write("\r\n".join(lines).encode("latin-1") + reply.body)
        if not keep_alive:
            self._transport.close()


def run_server(
    web: Web | Responder, port: int, log_path: Path | str | None = None, ready: Callable[[int], None] | None = None
) -> None:
    """Serve until interrupted (SIGINT or SIGTERM); call `ready` with the port once requests are accepted."""
    asyncio.run(_serve(web, port, log_path, ready))


async def _serve(
    web: Web | Responder, port: int, log_path: Path | str | None, ready: Callable[[int], None] | None
) -> None:
    server = SimServer(web, port, log_path)
    await server.start()
    interrupted = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupted.set)
    if ready is not None:
        ready(server.port)
    try:
        await interrupted.wait()
    finally:
        await server.stop()

"""Posting through the guard: one exchange, limited, whose every outcome is a value."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from thresher.crawl.clock import RealClock
from thresher.reasons import Reason
from thresher.web.guard import AddressGuard
from thresher.web.posting import Posted, Poster

LOOPBACK = AddressGuard(allow=["127.0.0.1"])


@contextmanager
def answering(answer: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """Serve one connection with given bytes, and give the address and what was received."""
    received: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                received.append(connection.recv(65_536))
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/x", received
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


def post(url: str, guard: AddressGuard = LOOPBACK, most: int = 1000, read_timeout: float = 5.0) -> Posted | Reason:
    return asyncio.run(Poster(clock=RealClock(), guard=guard, most=most, read_timeout=read_timeout).post(url, b"{}"))


def test_an_answer_of_any_status_is_returned() -> None:
    with answering(b"HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno") as (url, received):
        assert post(url) == Posted(403, b"no")
    assert received[0].startswith(b"POST /x HTTP/1.1\r\n")
    assert b"cookie" not in received[0].lower()


def test_what_cannot_be_had_is_a_reason() -> None:
    with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + b"x" * 5000) as (url, _):
        assert post(url) is Reason.BODY_TOO_LARGE
    with answering(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx") as (url, _):
        assert post(url) is Reason.PROTOCOL_ERROR
    with answering(b"nonsense\r\n\r\n") as (url, _):
        assert post(url) is Reason.PROTOCOL_ERROR
    with answering(b"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n") as (url, _):
        assert post(url) == Posted(302, b"")
    assert post("nonsense:") is Reason.BAD_URL


def test_forbidden_addresses_see_no_connection() -> None:
    with answering(b"") as (url, received):
        assert post(url, AddressGuard()) is Reason.ADDRESS_FORBIDDEN
        assert post(url.replace("127.0.0.1", "localhost"), AddressGuard()) is Reason.ADDRESS_FORBIDDEN
    assert received == []

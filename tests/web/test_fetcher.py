"""Fetching: good answers, refusals, every limit, hostile servers and forbidden addresses."""

import asyncio
import shutil
import socket
import ssl
import subprocess
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import brotli
import pytest
from aiohttp.abc import AbstractResolver, ResolveResult
from fetching import Clock, ask, failure, fetcher, get
from hypothesis import given, settings
from hypothesis import strategies as st
from loopback import Loopback, Talk, page, says

from tests.machine import PATIENCE, turned
from tests.packing import packed_gzip
from thresher.reasons import Reason
from thresher.types import Failed, Fetched, Redirected
from thresher.web.decompression import zstd
from thresher.web.guard import AddressGuard
from thresher.web.resolver import GuardedResolver


async def test_a_page_comes_with_all_that_is_known_of_it() -> None:
    async with Loopback(page(b"hello", b"X-A: \xe4", b"x-a: 2", mime=b"Text/HTML; charset=utf-8")) as server:
        web = fetcher(server.port)
        answer = await get(web, "http://a.test/x?y=%20z")
        await web.close()
    assert isinstance(answer, Fetched)
    assert (answer.status, answer.body, answer.mime, answer.ip) == (200, b"hello", "text/html", "127.0.0.1")
    assert answer.raw is answer.body
    assert answer.headers[0] == ("Content-Type", "Text/HTML; charset=utf-8")
    assert answer.headers[-2:] == [("X-A", "ä"), ("x-a", "2")]
    assert answer.at == 1_000_000.0
    assert answer.seconds > 0
    assert answer.http_version == "1.1"
    assert ("User-Agent", "Thresher/0.1 (+test)") in answer.request
    head = server.heads[0].decode()
    assert head.startswith("GET /x?y=%20z HTTP/1.1\r\nHost: a.test\r\n")
    assert "Accept-Encoding: gzip, deflate, br, zstd\r\n" in head
    assert "Cookie" not in head


async def test_connections_are_reused_and_cookies_are_not_kept() -> None:
    async with Loopback(page(b"x", b"Set-Cookie: a=b"), again=True) as server:
        web = fetcher(server.port)
        for status_path in ("1", "2", "3"):
            assert isinstance(await get(web, f"http://a.test/{status_path}"), Fetched)
        await web.close()
    assert server.connects == 1
    assert not any(b"cookie" in head.lower() for head in server.heads)


async def test_refusals_leave_their_connection_usable() -> None:
    async with Loopback(page(b"gone" * 50, status=b"404 Not Found"), again=True) as server:
        web = fetcher(server.port)
        for _ in range(3):
            assert isinstance(await get(web), Failed)
        await web.close()
    assert server.connects == 1


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (b"204 No Content", Reason.BAD_STATUS),
        (b"304 Not Modified", Reason.BAD_STATUS),
        (b"403 Forbidden", Reason.FORBIDDEN),
        (b"404 Not Found", Reason.NOT_FOUND),
        (b"410 Gone", Reason.GONE),
        (b"429 Slow", Reason.RATE_LIMITED),
        (b"500 Oops", Reason.SERVER_ERROR),
        (b"503 Later", Reason.UNAVAILABLE),
        (b"999 Denied", Reason.BAD_STATUS),
    ],
)
async def test_a_status_gives_its_reason(status: bytes, reason: Reason) -> None:
    answer = await failure(page(b"", b"Retry-After: 7", status=status))
    assert (answer.reason, answer.status, answer.retry_after, answer.ip) == (reason, int(status[:3]), 7.0, "127.0.0.1")


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        (b"/y", "http://a.test/y"),
        (b"https://b.test", "https://b.test/"),
        (b"?q#f", "http://a.test/x?q#f"),
        ("/ü".encode(), "http://a.test/%C3%BC"),
        (b"/\xfc", "http://a.test/%C3%BC"),
        (b"http://127.0.0.1/", "http://127.0.0.1/"),
        (b"/x", "http://a.test/x"),
    ],
)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_one_hop(location: bytes, expected: str, status: int) -> None:
    answer = await ask(page(b"moved", b"Location: " + location, status=b"%d Moved" % status))
    assert isinstance(answer, Redirected)
    assert (answer.to, answer.status, answer.ip) == (expected, status, "127.0.0.1")


@pytest.mark.parametrize("field", [b"X: y", b"Location: ", b"Location: http://", b"Location: http://a b/"])
async def test_a_redirect_to_nowhere_is_a_failure(field: bytes) -> None:
    answer = await failure(page(b"", field, status=b"302 Found"))
    assert (answer.reason, answer.status) == (Reason.BAD_REDIRECT, 302)


@pytest.mark.parametrize("mime", [b"image/png", b"application/pdf", b"text/htmlx"])
async def test_other_types_are_refused(mime: bytes) -> None:
    answer = await failure(page(b"x" * 100, mime=mime))
    assert (answer.reason, answer.detail) == (Reason.TYPE_REFUSED, mime.decode())


async def test_a_type_has_a_limit_of_its_own() -> None:
    types = {"text/html": 100, "text/plain": 10}
    assert isinstance(await ask(page(b"x" * 100), types=types), Fetched)
    assert (await failure(page(b"x" * 11, mime=b"text/plain"), types=types)).reason is Reason.BODY_TOO_LARGE
    assert (await failure(page(b"x" * 50), types=types, max_body=49)).reason is Reason.BODY_TOO_LARGE


async def test_a_robots_file_may_have_any_type_and_is_cut() -> None:
    answer = await ask(page(b"x" * 600_000, mime=b"image/png"), "http://a.test/robots.txt", max_body=10)
    assert isinstance(answer, Fetched)
    assert len(answer.body) == 500 * 1024
    packed = packed_gzip(b"y" * 5_000_000)
    answer = await ask(page(packed, b"Content-Encoding: gzip"), "http://a.test/robots.txt")
    assert isinstance(answer, Fetched)
    assert len(answer.body) == 500 * 1024
    assert (await failure(page(b"x", mime=b"image/png"), "http://a.test/x/robots.txt")).reason is Reason.TYPE_REFUSED


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        (b"gzip", packed_gzip(b"hello")),
        (b"deflate", zlib.compress(b"hello")),
        (b"br", brotli.compress(b"hello")),
        (b"zstd", zstd.compress(b"hello")),
        (b"identity", b"hello"),
    ],
)
async def test_codings_are_undone_and_the_received_bytes_kept(coding: bytes, packed: bytes) -> None:
    answer = await ask(page(packed, b"Content-Encoding: " + coding))
    assert isinstance(answer, Fetched)
    assert (answer.body, answer.raw) == (b"hello", packed)


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        (b"gzip", packed_gzip(b"hello" * 99)[:-4]),
        (b"gzip", b"plain"),
        (b"br", b"plain"),
        (b"zstd", zstd.compress(b"hello" * 99)[:-4]),
        (b"compress", b"x"),
        (b"gzip, lzma", b"x"),
    ],
)
async def test_bad_codings(coding: bytes, body: bytes) -> None:
    assert (await failure(page(body, b"Content-Encoding: " + coding))).reason is Reason.BAD_CODING


async def test_codings_in_two_fields_are_one_stack() -> None:
    body = packed_gzip(zlib.compress(b"hello"))
    answer = await ask(page(body, b"Content-Encoding: deflate", b"Content-Encoding: gzip"))
    assert isinstance(answer, Fetched)
    assert answer.body == b"hello"


@pytest.mark.parametrize(
    ("coding", "bomb"),
    [
        (b"gzip, gzip", packed_gzip(packed_gzip(b"\0" * 30_000_000))),
        (b"br", brotli.compress(b"\0" * 30_000_000, quality=5)),
        (b"zstd", zstd.compress(b"\0" * 30_000_000)),
        (b"zstd, br", brotli.compress(zstd.compress(b"\0" * 30_000_000))),
    ],
)
async def test_a_bomb_is_cut(coding: bytes, bomb: bytes) -> None:
    answer = await failure(page(bomb, b"Content-Encoding: " + coding), max_body=1_000_000)
    assert answer.reason is Reason.BODY_TOO_LARGE


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


async def endless(head: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + b"\r\n")
    while True:
        writer.write(b"x" * 65536)
        await writer.drain()


async def endless_chunks(head: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"1000\r\n" + b"x" * 4096 + b"\r\n")
        await writer.drain()


async def endless_fields(head: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD)
    while True:
        writer.write(b"".join(b"X-%d: y\r\n" % i for i in range(1000)))
        await writer.drain()


async def endless_interim(head: bytes, writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)
        await writer.drain()


async def dripping(head: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + b"Content-Length: 1000\r\n\r\n")
    while True:
        writer.write(b"x")
        await asyncio.sleep(0.05)


async def dripping_head(head: bytes, writer: asyncio.StreamWriter) -> None:
    for byte in HEAD * 1000:
        writer.write(bytes([byte]))
        await asyncio.sleep(0.05)


async def silent(head: bytes, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(2 * PATIENCE)


async def reset(head: bytes, writer: asyncio.StreamWriter) -> None:
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    writer.transport.abort()


async def reset_in_body(head: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + b"Content-Length: 1000\r\n\r\nabc")
    await writer.drain()
    await asyncio.sleep(0.05)
    await reset(head, writer)


@pytest.mark.parametrize(
    ("talk", "reasons"),
    [
        (endless, {Reason.BODY_TOO_LARGE}),
        (endless_chunks, {Reason.BODY_TOO_LARGE}),
        (endless_fields, {Reason.PROTOCOL_ERROR}),
        (endless_interim, {Reason.TIMEOUT, Reason.PROTOCOL_ERROR}),
        (dripping, {Reason.TIMEOUT}),
        (dripping_head, {Reason.TIMEOUT}),
        (silent, {Reason.TIMEOUT}),
        (reset, {Reason.CONNECTION_LOST}),
        (reset_in_body, {Reason.CONNECTION_LOST}),
        (says(), {Reason.CONNECTION_LOST}),
        (says(b"garbage\r\n\r\n"), {Reason.PROTOCOL_ERROR}),
        (says(b"\0" * 5000), {Reason.PROTOCOL_ERROR}),
        (says(b"HTTP/1.1 abc OK\r\n\r\n"), {Reason.PROTOCOL_ERROR}),
        (says(b"HTTP/1.1 200 " + b"O" * 100_000 + b"\r\n\r\n"), {Reason.PROTOCOL_ERROR}),
        (says(HEAD + b"X: " + b"y" * 100_000 + b"\r\n\r\n"), {Reason.PROTOCOL_ERROR}),
        (says(HEAD + b"Content-Length: 10\r\n\r\nshort"), {Reason.CONNECTION_LOST}),
        (says(HEAD + b"Content-Length: 3\r\n\r\nabcdef"), {Reason.PROTOCOL_ERROR}),
        (says(HEAD + b"Content-Length: 99999999999\r\n\r\nshort"), {Reason.BODY_TOO_LARGE}),
        (says(HEAD + b"Content-Length: -5\r\n\r\nx"), {Reason.PROTOCOL_ERROR}),
        (says(HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy"), {Reason.PROTOCOL_ERROR}),
        (says(HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nx"), {Reason.PROTOCOL_ERROR, Reason.CONNECTION_LOST}),
        (says(HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nab"), {Reason.CONNECTION_LOST}),
        (says(HEAD + b"Bad Field\r\n\r\nx"), {Reason.PROTOCOL_ERROR}),
    ],
)
async def test_hostile_servers(talk: Talk, reasons: set[Reason]) -> None:
    # Only who waits for ever is given up soon; a busy machine takes its time for all others.
    patience = 0.6 if Reason.TIMEOUT in reasons else PATIENCE
    answer = await failure(talk, read_timeout=patience, deadline=1.5 * patience, max_body=300_000)
    assert answer.reason in reasons, answer


async def slow_refusal(head: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 1000\r\n\r\n")
    await asyncio.sleep(2 * PATIENCE)


async def endless_refusal(head: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 404 Not Found\r\n\r\n")
    while True:
        writer.write(b"x" * 65536)
        await writer.drain()


async def broken_refusal(head: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 1000\r\n\r\nx")
    await writer.drain()
    await asyncio.sleep(0.05)
    await reset(head, writer)


@pytest.mark.parametrize("talk", [slow_refusal, endless_refusal, broken_refusal])
async def test_the_body_of_a_refusal_does_not_change_it(talk: Talk) -> None:
    answer = await asyncio.wait_for(failure(talk), PATIENCE)
    assert (answer.reason, answer.status) == (Reason.NOT_FOUND, 404)


async def test_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        web = fetcher(free.getsockname()[1])
        answer = await get(web)
        await web.close()
    assert isinstance(answer, Failed)
    assert answer.reason is Reason.CONNECT_FAILED


async def test_a_server_that_speaks_no_tls() -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(plain, "127.0.0.1", 0)
    web = fetcher(server.sockets[0].getsockname()[1])
    answer = await get(web, "https://a.test/")
    await web.close()
    server.close()
    assert isinstance(answer, Failed)
    assert answer.reason is Reason.TLS_FAILED


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[str, str]:
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    call = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    call += ["-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=a.test"]
    subprocess.run([*call, "-addext", "subjectAltName=DNS:a.test"], check=True, capture_output=True)
    return certificate, key


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl")
async def test_certificates_are_verified(certificate: tuple[str, str]) -> None:
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own.load_cert_chain(*certificate)
    async with Loopback(page(b"x"), tls=own) as server:
        outcomes = []
        for trust in (None, ssl.create_default_context(cafile=certificate[0])):
            for name in ("a.test", "b.test"):
                web = fetcher(server.port, tls=trust)
                outcomes.append(await get(web, f"https://{name}/"))
                await web.close()
    stranger, _, trusted, misnamed = outcomes
    assert isinstance(trusted, Fetched)
    for answer in (stranger, misnamed):
        assert isinstance(answer, Failed)
        assert answer.reason is Reason.TLS_FAILED


@pytest.mark.parametrize(
    "url", ["", "x", "ftp://a.test/", "http://", "http://a b/", "javascript:1", "http://a.test:0x/"]
)
async def test_what_is_no_web_address_is_refused(url: str) -> None:
    web = fetcher()
    answer = await get(web, url)
    assert isinstance(answer, Failed)
    assert answer.reason is Reason.BAD_URL
    assert answer.url == url
    await web.close()


class Names(AbstractResolver):
    """Says that every name is at the given addresses, and counts the questions."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = addresses
        self.asked = 0

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked += 1
        if not self.addresses:
            raise OSError(None, "unknown")
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=0,
            )
            for address in self.addresses
        ]

    async def close(self) -> None:
        return


LOOPBACKS = [
    "http://127.0.0.1:{}/",
    "http://127.1:{}/",
    "http://0177.0.0.1:{}/",
    "http://0x7f000001:{}/",
    "http://0x7F.1:{}/",
    "http://2130706433:{}/",
    "http://017700000001:{}/",
    "http://127.0.0.1.:{}/",
    "http://127.000.000.001:{}/",
    "http://１２７.0.0.1:{}/",
    "http://%31%32%37.0.0.1:{}/",
    "http://127。0。0。1:{}/",
    "http://0.0.0.0:{}/",
    "http://0:{}/",
    "http://127.255.255.254:{}/",
    "http://[::1]:{}/",
    "http://[0:0:0:0:0:0:0:1]:{}/",
    "http://[::]:{}/",
    "http://[::ffff:127.0.0.1]:{}/",
    "http://[::ffff:7f00:1]:{}/",
    "http://[::127.0.0.1]:{}/",
    "http://[64:ff9b::7f00:1]:{}/",
    "http://[2002:7f00:1::]:{}/",
    "http://user:pw@127.0.0.1:{}/",
    "http://localhost:{}/",
    "http://LOCALHOST.:{}/",
]


@pytest.fixture
async def listeners() -> AsyncIterator[tuple[Loopback, Loopback]]:
    async with Loopback(page(b"secret"), "0.0.0.0") as four, Loopback(page(b"secret"), "::1") as six:
        yield four, six


@pytest.mark.parametrize("pattern", LOOPBACKS)
async def test_forbidden_addresses_are_never_connected(pattern: str, listeners: tuple[Loopback, Loopback]) -> None:
    for server in listeners:
        # The map allows this very address and port, but only for names of its own.
        web = fetcher(server.port)
        answer = await get(web, pattern.format(server.port))
        await web.close()
        assert isinstance(answer, Failed), answer
        assert answer.reason in {Reason.ADDRESS_FORBIDDEN, Reason.BAD_URL, Reason.DNS_FAILED}
    assert [server.connects for server in listeners] == [0, 0]


async def test_the_socket_door_holds_even_if_the_resolver_lies(listeners: tuple[Loopback, Loopback]) -> None:
    four, _ = listeners
    web = fetcher(four.port, resolver=Names("127.0.0.1"))
    answer = await get(web, f"http://evil.example:{four.port}/")
    await web.close()
    assert isinstance(answer, Failed)
    assert answer.reason is Reason.ADDRESS_FORBIDDEN
    assert four.connects == 0


async def test_a_mapped_host_and_a_stranger_do_not_share(listeners: tuple[Loopback, Loopback]) -> None:
    four, _ = listeners
    web = fetcher(four.port, resolver=Names("127.0.0.1"))
    answers = await asyncio.gather(
        *(get(web, f"http://{name}:{four.port}/") for name in ["a.test", "evil.example"] * 20)
    )
    await web.close()
    for answer in answers:
        if ".test" in answer.url:
            assert isinstance(answer, Fetched)
        else:
            assert isinstance(answer, Failed)


@pytest.mark.parametrize("entry", ["127.0.0.1", "127.0.0.0/8"])
async def test_an_allowed_address_can_be_fetched(entry: str) -> None:
    url = "http://127.0.0.1:{}/"
    async with Loopback(page(b"x")) as server:
        web = fetcher(guard=AddressGuard(allow=[entry]))
        assert isinstance(await get(web, url.format(server.port)), Fetched)
        await web.close()


async def test_without_the_public_web_only_exceptions_are_connected() -> None:
    web = fetcher(guard=AddressGuard(public=False), resolver=Names("93.184.215.14"))
    answer = await get(web, "http://example.com/")
    await web.close()
    assert isinstance(answer, Failed)
    assert answer.reason is Reason.ADDRESS_FORBIDDEN


async def test_names_prepared_early_are_fetched_without_asking_again() -> None:
    names = Names("127.0.0.1")
    async with Loopback(page(b"x")) as server:
        guard = AddressGuard(allow=["good.example"])
        web = fetcher(guard=guard, resolver=GuardedResolver(guard, Clock(), inner=names))
        good, evil = f"http://good.example:{server.port}/", f"http://evil.example:{server.port}/"
        assert web.prepare(["good.example", "evil.example", "good.example", "127.0.0.1"]) == 2
        await turned()
        assert isinstance(await get(web, good), Fetched)
        answer = await get(web, evil)
        await web.close()
    assert isinstance(answer, Failed)
    assert answer.reason is Reason.ADDRESS_FORBIDDEN
    assert (names.asked, server.connects) == (2, 1)
    assert web.prepare(["good.example"]) == 0


async def test_a_resolver_of_another_kind_is_left_alone() -> None:
    names = Names("127.0.0.1")
    web = fetcher(resolver=names)
    assert web.prepare(["a.example"]) == 0
    await web.close()
    assert names.asked == 0


async def test_a_cancelled_fetch_is_cancelled() -> None:
    async with Loopback(silent) as server:
        web = fetcher(server.port)
        task = asyncio.create_task(get(web))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await web.close()


async def test_a_closed_fetcher_fails() -> None:
    web = fetcher()
    await web.close()
    assert isinstance(await get(web), Failed)


async def test_environment_proxies_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert isinstance(await ask(page(b"x")), Fetched)


@given(st.binary(max_size=400))
@settings(max_examples=60)
def test_any_bytes_give_an_answer(data: bytes) -> None:
    async def run() -> None:
        for head in (b"", HEAD + b"\r\n", HEAD):
            answer = await ask(says(head, data), read_timeout=0.2, deadline=0.3)
            assert isinstance(answer, Fetched | Redirected | Failed)

    asyncio.run(run())

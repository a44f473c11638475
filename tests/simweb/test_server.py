import asyncio
import random
import re
import signal
import socket
import subprocess
import sys
import time

import aiohttp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from yarl import URL

from tests.machine import PATIENCE, turned, until
from thresher.errors import InputError
from thresher.simweb.access_log import read_log
from thresher.simweb.fetcher import SimFetcher
from thresher.simweb.http_requests import MAX_HEAD, BadRequest, RequestHead, take_head
from thresher.simweb.pages import Flag, PageKind
from thresher.simweb.server import SimServer
from thresher.simweb.traps import trap_entry
from thresher.types import Candidate, Failed, Fetched, Redirected
from thresher.web.status import REDIRECTS, reason_of
from thresher.web.urls import host_of, parse


class RealClock:
    def now(self):
        return time.monotonic()

    def wall(self):
        return time.time()


@pytest.fixture
async def server(mixed, tmp_path):
    server = SimServer(mixed, 0, tmp_path / "access.log")
    await server.start()
    yield server
    await server.stop()


def log_of(tmp_path):
    return read_log(tmp_path / "access.log")


def sample(web):
    """Return addresses of every kind, those whose answers depend on time first."""
    rng = random.Random(1)
    busy = np.flatnonzero(web.pages.has(Flag.BUSY)).tolist()
    urls = [web.urls[page] for page in busy[:20]]
    for kind in PageKind:
        pages = np.flatnonzero(web.pages.is_kind(kind) & ~web.pages.has(Flag.BUSY)).tolist()
        urls += [web.urls[page] for page in rng.sample(pages, min(40, len(pages)))]
    urls += [f"http://{host.name}/robots.txt" for host in web.hosts]
    urls += [f"http://{host.name}/no/such/page" for host in web.hosts[:10]]
    for host in web.hosts:
        if host.trap:
            urls.append(f"http://{host.name}{trap_entry(host)}")
    calendar = next(host for host in web.hosts if host.trap == "calendar")
    growing = next(host for host in web.hosts if host.trap == "growing")
    urls += [f"http://{calendar.name}/calendar/3024/05", f"http://{growing.name}/browse/all/older/older/"]
    silent = {host.name for host in web.hosts if host.hangs}
    return [url for url in urls if host_of(url) not in silent or url.endswith("robots.txt")]


async def over_http(session, port, url):
    host = host_of(url)
    address = URL(f"http://127.0.0.1:{port}{url[len('http://') + len(host) :]}", encoded=True)
    async with session.get(address, headers={"Host": host}, allow_redirects=False) as reply:
        return reply.status, list(reply.headers.items()), await reply.read()


@pytest.mark.slow
async def test_both_ways_give_the_same_answers(mixed, server):
    urls = sample(mixed)
    assert len(urls) > 300
    fetcher = SimFetcher(mixed, RealClock())
    limit = asyncio.Semaphore(50)
    statuses = set()

    async def compare(session, url):
        async with limit:
            (status, headers, body), got = await asyncio.gather(
                over_http(session, server.port, url), fetcher.fetch(Candidate(url=url, priority=(1.0,)))
            )
        statuses.add(status)
        fields = {name.lower(): value for name, value in headers if name != "Connection"}
        if isinstance(got, Fetched):
            assert (status, body) == (200, got.body)
            assert fields == {name.lower(): value for name, value in got.headers}
        elif isinstance(got, Redirected):
            assert status == got.status
            assert status in REDIRECTS
            assert parse(fields["location"], url) == got.to
        else:
            assert status == got.status
            assert reason_of(status) is got.reason
            assert fields.get("retry-after") == (None if got.retry_after is None else f"{got.retry_after:.0f}")

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=60)) as session:
        await asyncio.gather(*(compare(session, url) for url in urls))
    assert {200, 301, 302, 404, 410, 500} <= statuses
    assert statuses & {503, 429}


async def test_silent_hosts_are_silent_both_ways(mixed, server, tmp_path):
    host = next(host for host in mixed.hosts if host.hangs)
    url = f"http://{host.name}/"
    got = await SimFetcher(mixed, RealClock(), read_timeout=0.1).fetch(Candidate(url=url, priority=(1.0,)))
    assert isinstance(got, Failed)
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=0.3)) as session:
        with pytest.raises(TimeoutError):
            await over_http(session, server.port, url)
    await asyncio.to_thread(until, lambda: log_of(tmp_path))
    (access,) = log_of(tmp_path)
    assert (access.host, access.status, access.answered) == (host.name, 0, None)


async def test_the_log_is_written_before_the_server_ends(mixed, server, tmp_path):
    async with aiohttp.ClientSession(headers={"User-Agent": "tester/1.0"}) as session:
        before = time.time()
        await over_http(session, server.port, mixed.urls[0])
        (access,) = log_of(tmp_path)
    assert before <= access.received <= access.answered <= time.time()
    assert (access.host, access.target, access.status) == (mixed.hosts[0].name, "/", 200)
    assert (access.agent, access.in_progress) == ("tester/1.0", 0)
    assert access.bytes > 500


async def test_requests_in_progress_are_counted(mixed, server, tmp_path):
    host = next(host for host in mixed.hosts if host.delay)
    async with aiohttp.ClientSession() as session:
        url = f"http://{host.name}/"
        await asyncio.gather(*(over_http(session, server.port, url) for _ in range(3)))
    assert [access.in_progress for access in log_of(tmp_path)] == [0, 1, 2]


async def raw(port, data, close=True):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    if close:
        writer.write_eof()
    try:
        return await asyncio.wait_for(reader.read(), PATIENCE)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def request(host, path="/", extra="", method="GET"):
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{extra}\r\n".encode()


async def test_pipelined_requests_are_answered_in_order(mixed, server):
    slow = next(host for host in mixed.hosts if host.delay)
    name = mixed.hosts[0].name
    data = request(slow.name) + request(name, "/robots.txt") + request(name, "/nothing", "Connection: close\r\n")
    reply = await raw(server.port, data, close=False)
    statuses = re.findall(rb"HTTP/1.1 (\d+)", reply)
    robots = b"404" if mixed.hosts[0].robots == "missing" else b"200"
    assert statuses == [b"200", robots, b"404"]


async def test_a_client_that_never_reads_is_not_listened_to(mixed, server):
    _, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1024)

    async def flood():
        while True:
            writer.write(request(mixed.hosts[0].name) * 200)
            await writer.drain()

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(flood(), 0.7)
    writer.transport.abort()
    async with aiohttp.ClientSession() as session:
        status, _, _ = await over_http(session, server.port, mixed.urls[0])
    assert status == 200


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"\x00\xff\x16\x03\x01 rubbish\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\n\r\n", b"400"),
        (b"GET / HTTP/2.0\r\nHost: a.test\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost : a.test\r\n\r\n", b"400"),
        (b"GET nothing HTTP/1.1\r\nHost: a.test\r\n\r\n", b"400"),
        (b"GET /" + b"a" * MAX_HEAD + b" HTTP/1.1\r\nHost: a.test\r\n\r\n", b"431"),
        (b"X" * (2 * MAX_HEAD), b"431"),
        (b"GET / HTTP/1.1\r\nHost: nowhere.test\r\nConnection: close\r\n\r\n", b"421"),
        (b"\r\n\r\nGET / HTTP/1.1\r\nHost: nowhere.test\r\nConnection: close\r\n\r\n", b"421"),
    ],
)
async def test_garbage_is_refused_and_the_server_lives_on(mixed, server, data, status):
    assert (await raw(server.port, data)).startswith(b"HTTP/1.1 " + status)
    good = await raw(server.port, request(mixed.hosts[0].name, extra="Connection: close\r\n"))
    assert good.startswith(b"HTTP/1.1 200 OK\r\n")


async def test_bodies_end_the_connection(mixed, server):
    data = request(mixed.hosts[0].name, extra="Content-Length: 5\r\n", method="POST") + b"GET /"
    reply = await raw(server.port, data, close=False)
    assert reply.startswith(b"HTTP/1.1 405")
    assert reply.count(b"HTTP/1.1") == 1


async def test_old_clients_and_whole_addresses(mixed, server):
    name = mixed.hosts[0].name
    old = await raw(server.port, f"GET / HTTP/1.0\r\nHost: {name}\r\n\r\n".encode(), close=False)
    assert b"Connection: close" in old
    whole = await raw(server.port, request("other.test", f"http://{name.upper()}:80", "Connection: close\r\n"))
    assert whole.startswith(b"HTTP/1.1 200")


async def test_a_request_in_pieces_is_put_together(mixed, server):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    for byte in request(mixed.hosts[0].name, "/robots.txt", "Connection: close\r\n"):
        writer.write(bytes([byte]))
        await asyncio.sleep(0)
    assert (await reader.read()).startswith(b"HTTP/1.1 ")
    writer.close()


async def test_a_taken_port_and_a_bad_log_are_refused(mixed, server, tmp_path):
    with pytest.raises(InputError, match="Port"):
        await SimServer(mixed, server.port).start()
    with pytest.raises(InputError, match="access log"):
        await SimServer(mixed, 0, tmp_path / "no" / "such" / "log").start()


async def test_stopping_twice_is_safe_and_ends_what_hangs(mixed, tmp_path):
    server = SimServer(mixed, 0, tmp_path / "access.log")
    await server.start()
    silent = next(host for host in mixed.hosts if host.hangs)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(request(silent.name))
    await turned()
    await server.stop()
    await server.stop()
    assert await reader.read() == b""
    writer.close()
    assert [access.status for access in log_of(tmp_path)] == [0]


def test_the_blocking_server_says_its_port_and_stops_when_told(tmp_path):
    script = (
        "from thresher.simweb.parameters import WebParameters\n"
        "from thresher.simweb.server import run_server\n"
        "from thresher.simweb.web import Web\n"
        "web = Web(WebParameters(pages=60, hosts=5, profile='clean'))\n"
        f"run_server(web, 0, {str(tmp_path / 'access.log')!r}, ready=lambda port: print(port, flush=True))\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        port = int(process.stdout.readline())
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
            client.sendall(request("nowhere.test"))
            assert client.recv(100).startswith(b"HTTP/1.1 421")
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=PATIENCE) == 0
    assert [access.status for access in log_of(tmp_path)] == [421]


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    buffer = bytearray(data + b"\r\n\r\n")
    got = take_head(buffer)
    assert got is None or isinstance(got, RequestHead | BadRequest)


@given(
    st.sampled_from(["GET", "HEAD", "BREW"]),
    st.from_regex(r"/[a-z0-9/?=&%.-]{0,40}", fullmatch=True),
    st.from_regex(r"[a-z0-9-]{1,20}\.test", fullmatch=True),
    st.booleans(),
)
def test_good_heads_are_read_as_they_were_written(method, target, host, keep):
    head = f"{method} {target} HTTP/1.1\r\nhost: {host}:8099\r\nConnection: {'keep-alive' if keep else 'close'}\r\n\r\n"
    buffer = bytearray(head.encode() + b"next")
    assert take_head(buffer) == RequestHead(method, host, target, "", keep, {})
    assert buffer == b"next"

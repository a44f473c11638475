"""From the wire to the archive: what a server sent over HTTP is what another library reads."""

import asyncio
from pathlib import Path

from tests.packing import packed_gzip
from tests.store.archive.samples import read_all
from thresher.store.archive.answering import answer_from
from thresher.store.archive.stored import read_record
from thresher.store.archive.warc_archive import WarcArchive
from thresher.types import Candidate, Fetched, Redirected
from thresher.web.fetcher import HttpFetcher
from thresher.web.guard import AddressGuard

PAGE = packed_gzip(b"<p>Hello, archive.")
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nX-Name: \xe4 b\r\n"
ANSWERS = {
    "/page": HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(PAGE), PAGE),
    "/hop": b"HTTP/1.1 301 Gone there\r\nLocation: /page\r\nContent-Length: 5\r\n\r\nmoved",
}


class Clock:
    def now(self) -> float:
        return 0.0

    def wall(self) -> float:
        return 1_700_000_000.125


async def fetch(*paths: str) -> list[Fetched | Redirected]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        target = (await reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode()
        writer.write(ANSWERS[target])
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    web = HttpFetcher(clock=Clock(), guard=AddressGuard(mapped={"*.test": f"127.0.0.1:{port}"}), agent="Thresher/0.1")
    try:
        answers = [await web.fetch(Candidate(url=f"http://a.test{path}", priority=())) for path in paths]
    finally:
        await web.close()
        server.close()
    return [answer for answer in answers if isinstance(answer, Fetched | Redirected)]


async def test_pages_and_redirects_over_http(tmp_path: Path) -> None:
    page, moved = await fetch("/page", "/hop")
    places = WarcArchive(tmp_path).append([page, moved])
    _, asked, first, _, second = read_all(tmp_path)
    assert (first.status, first.payload, first.fields["WARC-IP-Address"]) == ("200", PAGE, "127.0.0.1")
    assert (second.status, second.payload) == ("301", b"moved")
    assert asked.kind == "request"
    stored = read_record(tmp_path, places[0])
    assert stored.body() == b"<p>Hello, archive."
    back = [answer_from(read_record(tmp_path, place)) for place in places]
    assert [answer.headers for answer in back if not hasattr(answer, "reason")] == [page.headers, moved.headers]
    assert ("User-Agent", "Thresher/0.1") in page.request
    assert ("User-Agent", "Thresher/0.1") in moved.request

"""Bodies: what is read, refused, relabelled and cut, by their labels, their first bytes and their sizes."""

import asyncio
import random

import pytest
from fetching import ask, failure, fetcher, get
from loopback import Loopback, Talk, page, says
from samples import HTML, PDF, PNG, TEXT, XHTML, ZIP

from tests.machine import PATIENCE
from tests.packing import packed_gzip
from thresher.reasons import Reason
from thresher.types import Candidate, Failed, Fetched
from thresher.web.body_room import BodyRoom


def unlabelled(body: bytes, *fields: bytes) -> Talk:
    head = [b"HTTP/1.1 200 OK", b"Content-Length: %d" % len(body), *fields]
    return says(b"\r\n".join(head), b"\r\n\r\n", body)


@pytest.mark.parametrize("body", [PDF + b"x" * 5000, PNG + b"\0" * 5000, ZIP, PDF])
@pytest.mark.parametrize("mime", [b"text/html", b"text/plain; charset=utf-8", b"application/octet-stream", b""])
async def test_what_is_no_page_is_refused_whatever_its_label(body: bytes, mime: bytes) -> None:
    answer = await failure(page(body, mime=mime))
    assert answer.reason is Reason.TYPE_REFUSED
    assert answer.detail in ("application/pdf", "image/png", "application/zip")


async def test_a_mislabelled_document_is_read_as_what_it_is_where_that_is_accepted() -> None:
    types = {"text/html": 1000, "application/pdf": 5000}
    answer = await ask(page(PDF + b"x" * 900), types=types)
    assert isinstance(answer, Fetched)
    assert answer.mime == "application/pdf"


@pytest.mark.parametrize("mime", [b"application/octet-stream", b"binary/octet-stream", b"*/*", b"", b"html"])
@pytest.mark.parametrize(
    ("body", "found"),
    [(HTML, "text/html"), (TEXT, "text/plain"), (XHTML, "application/xhtml+xml"), (b"x", "text/plain")],
)
async def test_a_page_with_a_useless_label_is_read(mime: bytes, body: bytes, found: str) -> None:
    for talk in (page(body, mime=mime), unlabelled(body)):
        answer = await ask(talk)
        assert isinstance(answer, Fetched)
        assert (answer.mime, answer.body) == (found, body)


async def test_nosniff_is_respected() -> None:
    field = b"X-Content-Type-Options: nosniff"
    answer = await ask(page(PDF, field))
    assert isinstance(answer, Fetched)
    assert answer.mime == "text/html"
    assert (await failure(page(HTML, field, mime=b"application/octet-stream"))).reason is Reason.TYPE_REFUSED


async def test_a_packed_page_is_looked_at_unpacked() -> None:
    body = packed_gzip(HTML + b" " * 5000)
    answer = await ask(page(body, b"Content-Encoding: gzip", mime=b"application/octet-stream"))
    assert isinstance(answer, Fetched)
    assert (answer.mime, answer.raw) == ("text/html", body)
    answer = await failure(page(packed_gzip(PDF * 500), b"Content-Encoding: gzip"))
    assert (answer.reason, answer.detail) == (Reason.TYPE_REFUSED, "application/pdf")


async def test_a_type_that_no_byte_can_change_is_refused_before_the_body() -> None:
    async def never(head: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 10\r\n\r\n")
        await asyncio.sleep(2 * PATIENCE)

    answer = await asyncio.wait_for(failure(never), PATIENCE)
    assert (answer.reason, answer.detail) == (Reason.TYPE_REFUSED, "image/png")


async def test_a_long_body_is_refused_after_its_first_bytes() -> None:
    sent = 0

    async def endless_pdf(head: bytes, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PDF)
        while True:
            writer.write(b"x" * 65536)
            sent += 65536
            await writer.drain()

    answer = await failure(endless_pdf)
    assert answer.reason is Reason.TYPE_REFUSED
    assert sent < 8_000_000


@pytest.mark.parametrize(
    ("body", "mime", "outcome"),
    [
        (HTML.ljust(3000), b"text/html", 3000),
        (HTML.ljust(3001), b"text/html", Reason.BODY_TOO_LARGE),
        (TEXT.ljust(200), b"text/plain", 200),
        (TEXT.ljust(201), b"text/plain", Reason.BODY_TOO_LARGE),
        # The label says nothing: what it turns out to be decides how long it may be.
        (HTML.ljust(3000), b"", 3000),
        (TEXT.ljust(201), b"", Reason.BODY_TOO_LARGE),
        (TEXT.ljust(2000), b"application/octet-stream", Reason.BODY_TOO_LARGE),
        (b"<p>".ljust(5000), b"application/octet-stream", Reason.BODY_TOO_LARGE),
    ],
)
@pytest.mark.parametrize("announced", [True, False])
async def test_every_type_has_its_size(body: bytes, mime: bytes, outcome: int | Reason, announced: bool) -> None:
    talk = page(body, mime=mime)
    if not announced:
        talk = says(b"HTTP/1.1 200 OK\r\nContent-Type: " + mime + b"\r\n\r\n", body)
    answer = await ask(talk, types={"text/html": 3000, "text/plain": 200})
    if isinstance(outcome, Reason):
        assert isinstance(answer, Failed)
        assert answer.reason is outcome
    else:
        assert isinstance(answer, Fetched)
        assert len(answer.body) == outcome


async def test_the_last_of_several_types_counts() -> None:
    talk = says(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\nx")
    answer = await ask(talk)
    assert isinstance(answer, Fetched)
    assert answer.mime == "text/html"


async def test_a_fetch_can_ask_for_other_types() -> None:
    body = b"<urlset></urlset>"
    async with Loopback(page(body, mime=b"application/xml"), again=True) as server:
        web = fetcher(server.port)
        refused = await get(web)
        answer = await web.fetch(Candidate(url="http://a.test/map.xml", priority=(), lists=1))
        await web.close()
    assert isinstance(refused, Failed)
    assert isinstance(answer, Fetched)
    assert answer.body == body
    assert b"application/xml" in server.heads[1]


@pytest.mark.parametrize(("number", "fetched"), [(0, True), (16, True), (17, False), (100_000, False)])
async def test_interim_answers_are_counted(number: int, fetched: bool) -> None:
    final = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\nx"
    answer = await ask(says(b"HTTP/1.1 103 Early Hints\r\n\r\n" * number, final))
    assert isinstance(answer, Fetched) is fetched
    assert fetched or answer.reason is Reason.PROTOCOL_ERROR  # type: ignore[union-attr]


def large_page(size: int) -> bytes:
    """Return a page whose packed form is about half as large."""
    return HTML + random.Random(size).randbytes(size // 2).hex().encode()


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize("mime", [b"text/html", b"application/octet-stream"])
async def test_a_large_packed_page_is_passed_on_as_it_came(announced: bool, mime: bytes) -> None:
    packed = packed_gzip(large_page(600_000))
    talk = page(packed, b"Content-Encoding: gzip", mime=mime)
    if not announced:
        talk = says(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: " + mime + b"\r\n\r\n", packed)
    answer = await ask(talk)
    assert isinstance(answer, Fetched)
    assert (answer.mime, answer.coding, answer.limit) == ("text/html", "gzip", 10_000_000)
    assert answer.body == answer.raw == packed


async def test_what_unpacks_to_much_is_decoded_no_further() -> None:
    packed = packed_gzip(HTML.ljust(5_000_000))
    answer = await ask(page(packed, b"Content-Encoding: gzip"))
    assert isinstance(answer, Fetched)
    assert (answer.coding, answer.body) == ("gzip", packed)
    small = await ask(page(packed_gzip(HTML.ljust(500_000)), b"Content-Encoding: gzip"))
    assert isinstance(small, Fetched)
    assert (small.coding, len(small.body)) == ("", 500_000)


@pytest.mark.parametrize("announced", [True, False])
async def test_a_large_packed_body_has_a_type_and_a_limit_of_its_own(announced: bool) -> None:
    def talk(packed: bytes) -> Talk:
        if announced:
            return page(packed, b"Content-Encoding: gzip")
        return says(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/html\r\n\r\n", packed)

    answer = await failure(talk(packed_gzip(PDF + large_page(600_000))))
    assert (answer.reason, answer.detail) == (Reason.TYPE_REFUSED, "application/pdf")
    packed = packed_gzip(large_page(900_000))
    answer = await failure(talk(packed), types={"text/html": len(packed) - 1, "application/pdf": 10_000_000})
    assert answer.reason is Reason.BODY_TOO_LARGE


@pytest.mark.parametrize("fields", [b"Content-Length: 2000000", b"Content-Length: 300000\r\nContent-Encoding: br"])
async def test_a_large_body_is_refused_before_it_arrives_if_there_is_no_room(
    fields: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(head: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + fields + b"\r\n\r\n")
        await asyncio.sleep(2 * PATIENCE)

    monkeypatch.setattr(BodyRoom, "refuses_large", True)
    answer = await asyncio.wait_for(failure(never), PATIENCE)
    assert answer.reason is Reason.NO_ROOM
    assert isinstance(await ask(page(HTML)), Fetched), "others are not refused"

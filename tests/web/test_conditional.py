"""Conditional requests, and what a fetch never carries along: cookies, credentials, referrers."""

import base64
from pathlib import Path

import pytest
from fetching import fetcher, get
from loopback import Loopback, page, says

from thresher.reasons import Reason
from thresher.types import Answer, Candidate, Copy, Failed, Fetched, Redirected, Unchanged
from thresher.web.fetcher import HttpFetcher

SAME = says(b'HTTP/1.1 304 Not Modified\r\nETag: "b"\r\n\r\n')
DATE = "Mon, 01 Jan 2024 00:00:00 GMT"


async def again(web: HttpFetcher, etag: str = "", last_modified: str = "") -> Answer:
    copy = Copy(etag=etag, last_modified=last_modified, digest=b"d")
    return await web.fetch(Candidate(url="http://a.test/x", priority=(), copy=copy))


async def test_a_page_that_has_not_changed() -> None:
    async with Loopback(SAME, again=True) as server:
        web = fetcher(server.port)
        answers = [await again(web, 'W/"a"', DATE), await again(web, '"a"'), await again(web, "", DATE)]
        await web.close()
    for answer in answers:
        assert isinstance(answer, Unchanged)
        assert (answer.url, answer.at, answer.ip) == ("http://a.test/x", 1_000_000.0, "127.0.0.1")
        assert (answer.status, answer.copy.digest) == (304, b"d")
        assert ("Host", "a.test") in answer.request
        assert answer.headers == [("ETag", '"b"')]
        assert answer.seconds > 0
    both, by_tag, by_date = server.heads
    assert b'If-None-Match: W/"a"\r\n' in both
    assert f"If-Modified-Since: {DATE}\r\n".encode() in both
    assert b"If-Modified-Since" not in by_tag
    assert b"If-None-Match" not in by_date
    assert server.connects == 1


async def test_a_page_that_has_changed() -> None:
    async with Loopback(page(b"new", b'ETag: "c"')) as server:
        web = fetcher(server.port)
        answer = await again(web, '"a"', DATE)
        await web.close()
    assert isinstance(answer, Fetched)
    assert (answer.body, answer.header("etag")) == (b"new", '"c"')


@pytest.mark.parametrize(("etag", "modified"), [("", ""), ('"a\r\nX: y"', "a\nb"), ("ä", "\0"), ("x" * 2000, "")])
async def test_a_304_nobody_asked_for_is_a_bad_status(etag: str, modified: str) -> None:
    async with Loopback(SAME) as server:
        web = fetcher(server.port)
        answer = await again(web, etag, modified)
        await web.close()
    assert isinstance(answer, Failed)
    assert (answer.reason, answer.status) == (Reason.BAD_STATUS, 304)
    assert b"\r\nIf-" not in server.heads[0]
    assert b"X: y" not in server.heads[0]


async def test_an_ordinary_fetch_asks_for_the_page_itself() -> None:
    async with Loopback(page(b"x")) as server:
        web = fetcher(server.port)
        answer = await get(web)
        await web.close()
    assert isinstance(answer, Fetched)
    assert b"\r\nIf-" not in server.heads[0]


async def test_nothing_is_carried_from_one_request_to_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine a.test login jo password pw\nmachine b.test login jo password pw\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    hop = (b"Location: http://b.test/y", b"Set-Cookie: k=v; Domain=test; Path=/", b"WWW-Authenticate: Basic realm=x")
    async with Loopback(page(b"", *hop, status=b"302 Found"), again=True) as server:
        web = fetcher(server.port)
        first = await get(web, "http://jo:secret@a.test/x")
        assert isinstance(first, Redirected)
        await get(web, first.to)
        await get(web, "http://a.test/x?again")
        await web.close()
    assert len(server.heads) == 3
    for head in server.heads:
        lower = head.lower()
        assert not any(name in lower for name in (b"cookie", b"authorization", b"referer", b"proxy"))
        assert b"secret" not in lower
        assert base64.b64encode(b"jo:secret").lower() not in lower

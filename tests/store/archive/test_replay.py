"""Archives replayed as a web: the same answers without a network, and the same crawl."""

import asyncio
import tracemalloc
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.packing import packed_gzip
from tests.store.archive.samples import AT, arc_record, hop, page, response, warc_record, warcs, write, zipped
from thresher.analysers import analyser_from
from thresher.build import make_engine, recipe_of
from thresher.config.load import load
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.errors import InputError
from thresher.protocols import Clock, Fetcher
from thresher.reasons import Reason
from thresher.simweb.fetcher import SimFetcher
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.archive.archive_files import index_path
from thresher.store.archive.problems import Problem
from thresher.store.archive.replay import ReplayFetcher
from thresher.store.archive.warc_archive import WarcArchive
from thresher.store.memory import MemoryStore
from thresher.types import Answer, Candidate, Failed, Fetched, Link, Redirected


class Still:
    """A clock that stands."""

    def now(self) -> float:
        return 5.0

    def wall(self) -> float:
        return AT + 1000


def ask(fetcher: Fetcher, url: str) -> Answer:
    return asyncio.run(fetcher.fetch(Candidate(url=url, priority=())))  # type: ignore[arg-type]


def failure(fetcher: Fetcher, url: str) -> Failed:
    answer = ask(fetcher, url)
    assert isinstance(answer, Failed), answer
    return answer


def fetched(fetcher: Fetcher, url: str) -> Fetched:
    answer = ask(fetcher, url)
    assert isinstance(answer, Fetched), answer
    return answer


@pytest.mark.parametrize("indexed", [True, False])
def test_what_was_archived_is_answered(tmp_path: Path, indexed: bool) -> None:
    answers = [page(1), zipped(2), hop(3), page(4, page(1).raw), page(5, b"")]
    WarcArchive(tmp_path, max_bytes=2000).append(answers)
    for warc in warcs(tmp_path):
        if not indexed:
            index_path(warc).unlink()
    web = ReplayFetcher([tmp_path], Still(), open_files=1)
    assert len(web) == 5
    for answer in answers:
        expected = replace(answer, request=[], at=AT + 1000)
        if answer.raw == b"" and isinstance(expected, Fetched):
            expected = replace(expected, mime="text/html")
        assert ask(web, answer.url) == expected
    asyncio.run(web.close())
    assert ask(web, hop(3).url) == replace(hop(3), request=[], at=AT + 1000)
    assert not web.problems


def test_every_kind_of_answer(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.warc.gz",
        response("http://a.test/gone", head=b"HTTP/1.1 410 Gone"),
        response("http://a.test/busy", head=b"HTTP/1.1 503 Busy\r\nRetry-After: Sat, 29 Feb 2020 12:01:00 GMT"),
        response("http://a.test/odd", head=b"HTTP/1.1 206 Partial"),
        response("http://a.test/hop", head=b"HTTP/1.1 302 Found\r\nLocation: ../b#c"),
        response("http://a.test/nowhere", head=b"HTTP/1.1 302 Found"),
        response("http://a.test/pdf", b"%PDF-1.4"),
        response("http://a.test/big", b"x" * 3000),
        response("http://a.test/broken", head=b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip"),
        arc_record("http://a.test/arc", b"HTTP/1.0 200 OK\nContent-Type: text/html\n\n<p>old"),
    )
    web = ReplayFetcher([path], Still(), max_body=2000)
    assert failure(web, "http://a.test/gone").reason is Reason.GONE
    busy = failure(web, "http://a.test/busy")
    assert (busy.reason, busy.status, busy.retry_after) == (Reason.UNAVAILABLE, 503, 60.0)
    assert failure(web, "http://a.test/odd").reason is Reason.BAD_STATUS
    moved = ask(web, "http://a.test/hop")
    assert isinstance(moved, Redirected)
    assert (moved.to, moved.status) == ("http://a.test/b#c", 302)
    assert failure(web, "http://a.test/nowhere").reason is Reason.BAD_REDIRECT
    refused = failure(web, "http://a.test/pdf")
    assert (refused.reason, refused.detail) == (Reason.TYPE_REFUSED, "application/pdf")
    assert failure(web, "http://a.test/big").reason is Reason.BODY_TOO_LARGE
    assert failure(web, "http://a.test/broken").reason is Reason.BAD_CODING
    assert fetched(web, "http://a.test/arc").body == b"<p>old"


def test_what_is_not_there(tmp_path: Path) -> None:
    web = ReplayFetcher([write(tmp_path / "a.warc.gz", response("http://a.test/"))], Still())
    unknown = failure(web, "http://a.test/other")
    assert (unknown.reason, unknown.detail, unknown.status) == (Reason.NOT_FOUND, "not in the archive", None)
    robots = failure(web, "http://a.test/robots.txt")
    assert (robots.reason, robots.status) == (Reason.NOT_FOUND, 404)
    assert failure(web, "mailto:a@a.test").reason is Reason.BAD_URL


def test_urls_are_compared_in_canonical_form(tmp_path: Path) -> None:
    web = ReplayFetcher([write(tmp_path / "a.warc", response("HTTP://A.test:80/%7Eb#c"), zipped=False)], Still())
    assert fetched(web, "http://a.test/~b").url == "http://a.test/~b"


def test_the_newest_answer_counts_unless_it_says_unchanged(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.warc.gz",
        response("http://a.test/", b"new", WARC_Date="2021-01-01T00:00:00Z"),
        response("http://a.test/", b"old", WARC_Date="2020-01-01T00:00:00Z"),
        response("http://a.test/", b"", head=b"HTTP/1.1 304 Not Modified", WARC_Date="2022-01-01T00:00:00Z"),
        response("http://a.test/2", b"first"),
        response("http://a.test/2", b"second"),
    )
    web = ReplayFetcher([path], Still())
    assert fetched(web, "http://a.test/").body == b"new"
    assert fetched(web, "http://a.test/2").body == b"second"


def test_revisits_of_others_are_resolved_by_digest(tmp_path: Path) -> None:
    def revisit(url: str, digest: str) -> bytes:
        fields = {
            "WARC-Type": "revisit",
            "WARC-Target-URI": url,
            "WARC-Date": "2020-01-02T00:00:00Z",
            "WARC-Payload-Digest": digest,
        }
        return warc_record(fields, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")

    one = write(
        tmp_path / "b.warc.gz", revisit("http://a.test/again", "sha1:A"), revisit("http://a.test/lost", "sha1:B")
    )
    two = write(tmp_path / "a.warc.gz", response("http://a.test/", b"body", WARC_Payload_Digest="sha1:A"))
    web = ReplayFetcher([one, two], Still())
    assert fetched(web, "http://a.test/again").body == b"body"
    assert failure(web, "http://a.test/lost").detail == "not in the archive"


def test_several_records_compressed_as_one_must_be_imported_first(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(packed_gzip(response("http://a.test/1") + response("http://a.test/2")))
    web = ReplayFetcher([path], Still())
    assert (len(web), web.problems) == (1, {Problem.NOT_SEEKABLE: 1})


def test_a_lying_index_does_no_harm(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path)
    archive.append([page(1, b"a" * 50), page(2, b"b" * 50)])
    index = index_path(warcs(tmp_path)[0])
    index.write_bytes(index.read_bytes().replace(b"page/1", b"page/9"))
    web = ReplayFetcher([tmp_path], Still())
    assert failure(web, page(1).url.replace("page/1", "page/9")).reason is Reason.NOT_FOUND
    assert fetched(web, page(2).url).body == b"b" * 50


def test_a_file_that_vanishes_is_a_failure(tmp_path: Path) -> None:
    path = write(tmp_path / "a.warc.gz", response("http://a.test/"))
    web = ReplayFetcher([path], Still())
    path.unlink()
    assert failure(web, "http://a.test/").reason is Reason.NOT_FOUND


def test_there_must_be_something_to_replay(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        ReplayFetcher([tmp_path / "none.warc.gz"], Still())
    with pytest.raises(InputError):
        ReplayFetcher([tmp_path], Still())


class Recorder:
    """Passes answers on and archives them."""

    def __init__(self, inner: Fetcher, archive: WarcArchive) -> None:
        self._inner = inner
        self._archive = archive

    async def fetch(self, candidate: Candidate) -> Answer:
        answer = await self._inner.fetch(candidate)
        if not isinstance(answer, Failed):
            self._archive.append([answer])
        return answer

    async def close(self) -> None:
        self._archive.close()


async def crawl(fetcher: Fetcher, clock: Clock, seeds: list[str], strategy: str) -> set[str]:
    settings = load(overrides=[f'crawl.strategy="{strategy}"', "manners.delay=0", "store.min_free_mb=0"]).settings
    store = MemoryStore()
    row = store.crawls.start("crawl", strategy, {}, clock.wall())
    engine = make_engine(
        store=store,
        crawl=row,
        settings=settings,
        fetcher=fetcher,
        analyser=analyser_from(recipe_of(settings, strategy)),
        clock=clock,
        seeds=seeds,
        threaded=False,
    )
    await engine.run([Link(url, "", 0, 0) for url in seeds])
    return set(store.documents.urls())


@pytest.mark.slow
def test_a_crawl_of_an_archive_finds_the_pages_of_the_crawl_that_made_it(tmp_path: Path) -> None:
    web = Web(WebParameters(pages=300, hosts=12, seed=3, profile="finite"))

    async def record() -> set[str]:
        clock = VirtualClock()
        recorder = Recorder(SimFetcher(web, clock), WarcArchive(tmp_path, max_bytes=100_000))
        return await crawl(recorder, clock, web.start_pages(), "breadth-first")

    async def replay(strategy: str) -> set[str]:
        clock = VirtualClock()
        return await crawl(ReplayFetcher([tmp_path], clock), clock, web.start_pages(), strategy)

    before = run_virtual(record())
    assert len(before) > 100
    assert run_virtual(replay("breadth-first")) == before
    assert run_virtual(replay("depth-first")) == before


def test_only_a_small_index_stays_in_memory(tmp_path: Path) -> None:
    WarcArchive(tmp_path).append([page(number) for number in range(3000)])
    tracemalloc.start()
    web = ReplayFetcher([tmp_path], Still())
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(web) == 3000
    assert kept < 3000 * 60

"""Members of archives in a crawl: pages of their own, one request, one batch; checked again with their archive."""

from typing import Any

import pytest

from tests.documents.made_files import LINK, docx, packed, pdf
from thresher.build import make_engine, make_reader
from thresher.config.load import load
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.crawl.start import known_candidates
from thresher.plugins import make_strategy
from thresher.reading.analysis import PageAnalyser
from thresher.reasons import Reason
from thresher.store.explain import explain
from thresher.store.explanation_data import explanation_data
from thresher.store.memory import MemoryStore
from thresher.store.records import CrawlKind, CrawlRow, Progress
from thresher.types import Answer, Candidate, Failed, Fetched, Link, Unchanged
from thresher.web.urls import url_id

HOME = "http://a.test/"
ZIP = "http://a.test/all.zip"
TWO = {"one.txt": b"The first boats sail on the sea.", "two.docx": docx()}


class Files:
    """A web of files: URL → (type, body, tag); answers that nothing has changed to whoever knows the tag."""

    def __init__(self, **_: Any) -> None:
        self.files: dict[str, tuple[str, bytes, str]] = {}
        self.asked: list[str] = []
        self._clock = VirtualClock()

    def put(self, url: str, mime: str, body: bytes, tag: str = "") -> None:
        self.files[url] = (mime, body, tag)

    async def fetch(self, candidate: Candidate) -> Answer:
        self.asked.append(candidate.url)
        found, at = self.files.get(candidate.url), self._clock.wall()
        if found is None:
            return Failed(url=candidate.url, reason=Reason.NOT_FOUND, at=at, status=404)
        mime, body, tag = found
        headers = [("ETag", tag)] if tag else []
        if tag and candidate.copy is not None and candidate.copy.etag == tag:
            return Unchanged(url=candidate.url, at=at, copy=candidate.copy, headers=headers)
        return Fetched(url=candidate.url, status=200, headers=headers, body=body, raw=body, mime=mime, at=at)

    async def close(self) -> None:
        pass


class Crawls:
    """Crawls and refreshes of one web into one store."""

    def __init__(self) -> None:
        self.web = Files()
        self.store = MemoryStore()
        self.row: CrawlRow | None = None

    def crawl(self, *overrides: str) -> Progress:
        return self._run("crawl", [Link(HOME, "", 0, 0)], [], overrides)

    def harvest(self) -> Progress:
        return self._run(CrawlKind.HARVEST, [Link(HOME, "", 0, 0)], [], ())

    def refresh(self) -> Progress:
        return self._run(CrawlKind.REFRESH, [], known_candidates(self.store, float("inf")), ["crawl.pages=0"])

    def _run(self, kind: str, seeds: list[Link], known: list[Candidate], overrides: Any) -> Progress:
        plain = ["manners.robots=false", "manners.delay=0", "manners.traps=false", "store.min_free_mb=0"]
        settings = load(overrides=[*plain, *overrides]).settings
        clock = VirtualClock()
        strategy = make_strategy("breadth-first", {})
        self.row = self.store.crawls.start(kind, "breadth-first", {}, 0.0)

        async def go() -> Progress:
            engine = make_engine(
                store=self.store,
                crawl=self.row,  # type: ignore[arg-type]
                settings=settings,
                fetcher=self.web,
                analyser=PageAnalyser(make_reader(settings), strategy),
                clock=clock,
                seeds=[HOME],
                threaded=False,
                strategy=strategy,
            )
            return await engine.run(seeds, known)

        return run_virtual(go())

    def told(self, url: str) -> dict[str, Any]:
        found = explain(self.store, url)
        assert found is not None
        return explanation_data(found)


@pytest.fixture
def crawls() -> Crawls:
    made = Crawls()
    made.web.put(HOME, "text/html", b"<p>Home of boats <a href='all.zip'>all files</a>")
    made.web.put(ZIP, "application/zip", packed(TWO), '"1"')
    made.web.put(LINK, "text/html", b"<p>The harbour page of boats.")
    return made


def test_members_are_pages_and_their_links_are_followed(crawls: Crawls) -> None:
    progress = crawls.crawl()
    assert set(crawls.store.documents.urls()) == {HOME, f"{ZIP}!/one.txt", f"{ZIP}!/two.docx", LINK}
    assert progress.pages == 4
    assert crawls.web.asked == [HOME, ZIP, LINK], "a member is not asked for"
    member = crawls.store.documents.document(url_id(f"{ZIP}!/two.docx"))
    assert member is not None
    assert (member.archive, member.origin, member.depth, member.about["author"]) == (ZIP, ZIP, 1, "Ann Lee")
    assert member.size == len(TWO["two.docx"])


def test_explain_tells_of_members_and_archives(crawls: Crawls) -> None:
    crawls.web.put(ZIP, "application/zip", packed({**TWO, "bad.pdf": b"%PDF-1.4 x", "pic.png": b"x"}))
    crawls.crawl()
    told = crawls.told(f"{ZIP}!/two.docx")
    assert (told["state"], told["parent"], told["document"]["archive"]) == ("done", ZIP, ZIP)
    assert told["path"] == [HOME, ZIP, f"{ZIP}!/two.docx"]
    assert crawls.told(ZIP)["members"] == sorted(
        crawls.told(ZIP)["members"], key=lambda url: crawls.store.documents.document(url_id(url)).url_id
    )
    assert len(crawls.told(ZIP)["members"]) == 2
    bad = crawls.told(f"{ZIP}!/bad.pdf")
    assert (bad["state"], bad["reason"], bad["visits"][0]["detail"]) == (
        "failed",
        "unreadable",
        "its PDF structure is broken",
    )
    picture = crawls.told(f"{ZIP}!/pic.png")
    assert (picture["state"], picture["reason"]) == ("refused", "type-refused")


def test_an_archive_on_hand_is_not_asked_for_and_its_members_lead_on(crawls: Crawls) -> None:
    crawls.crawl("crawl.max_depth=1")
    assert crawls.web.asked == [HOME, ZIP]
    crawls.web.asked.clear()
    progress = crawls.harvest()
    assert crawls.web.asked == [LINK], "a member leads to it"
    assert (progress.pages, progress.reused) == (1, 3)
    assert [crawls.told(f"{ZIP}!/{name}")["state"] for name in TWO] == ["done", "done"]


def test_an_archive_of_which_only_a_part_was_kept_is_asked_for_again(crawls: Crawls) -> None:
    assert crawls.crawl("crawl.pages=2").pages == 2
    crawls.web.asked.clear()
    progress = crawls.harvest()
    assert crawls.web.asked == [ZIP, LINK]
    assert set(crawls.store.documents.urls()) == {HOME, f"{ZIP}!/one.txt", f"{ZIP}!/two.docx", LINK}
    assert progress.reused == 1


def test_the_budget_of_pages_is_kept(crawls: Crawls) -> None:
    progress = crawls.crawl("crawl.pages=2")
    assert progress.pages == 2
    assert set(crawls.store.documents.urls()) == {HOME, f"{ZIP}!/one.txt"}
    told = crawls.told(f"{ZIP}!/two.docx")
    assert (told["state"], told["reason"]) == ("cut", "budget-spent")


def test_a_member_that_repeats_a_page_is_a_duplicate(crawls: Crawls) -> None:
    crawls.web.put(ZIP, "application/zip", packed({"a.txt": TWO["one.txt"], "b.txt": TWO["one.txt"]}))
    progress = crawls.crawl()
    assert (progress.pages, progress.duplicates) == (2, 1)
    assert crawls.told(f"{ZIP}!/b.txt")["duplicate_of"][0]["url"] == f"{ZIP}!/a.txt"


def test_scope_holds_for_members(crawls: Crawls) -> None:
    crawls.crawl('crawl.exclude=["*two*"]')
    assert f"{ZIP}!/two.docx" not in set(crawls.store.documents.urls())
    assert crawls.told(f"{ZIP}!/two.docx")["reason"] == "out-of-scope"


def test_members_are_checked_again_with_their_archive(crawls: Crawls) -> None:
    crawls.crawl()
    crawls.web.asked.clear()
    unchanged = crawls.refresh()
    assert sorted(crawls.web.asked) == sorted([HOME, ZIP, LINK])
    assert (unchanged.unchanged, unchanged.changed, unchanged.gone) == (4, 0, 0)
    crawls.web.put(
        ZIP, "application/zip", packed({"one.txt": b"Other words about boats.", "new.txt": b"New boats."}), '"2"'
    )
    changed = crawls.refresh()
    assert (changed.changed, changed.gone) == (1, 1)
    stored = {url: crawls.store.documents.document(url_id(url)) for url in crawls.store.documents.urls()}
    assert stored[f"{ZIP}!/one.txt"].text.startswith("Other words")
    assert stored[f"{ZIP}!/two.docx"].gone is not None
    assert stored[f"{ZIP}!/new.txt"].gone is None


def test_members_go_with_their_archive(crawls: Crawls) -> None:
    crawls.crawl()
    del crawls.web.files[ZIP]
    assert crawls.refresh().gone == 2
    assert crawls.store.documents.document(url_id(f"{ZIP}!/one.txt")).gone is not None
    crawls.web.put(ZIP, "application/zip", packed(TWO))
    assert crawls.refresh().gone == 0
    assert crawls.store.documents.document(url_id(f"{ZIP}!/one.txt")).gone is None


def test_links_between_members_lead_nowhere_else(crawls: Crawls) -> None:
    page = b"<p>Boats <a href=one.txt>there</a> <a href=missing.html>not there</a> <a href='http://b.test/x'>out</a>"
    crawls.web.put(ZIP, "application/zip", packed({"page.html": page, "one.txt": TWO["one.txt"]}))
    crawls.crawl()
    assert crawls.web.asked == [HOME, ZIP, "http://b.test/x"]


def test_single_files_are_pages(crawls: Crawls) -> None:
    crawls.web.put(ZIP, "application/pdf", pdf())
    crawls.crawl()
    document = crawls.store.documents.document(url_id(ZIP))
    assert (document.title, document.mime, document.archive) == ("About boats", "application/pdf", None)
    assert LINK in crawls.web.asked

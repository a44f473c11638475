"""Wikispeedia: what would tell the categories is withheld."""

import gzip
import re
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from thresher.bench.page_building import build_pages
from thresher.bench.page_cache import PageCache
from thresher.bench.playback import PlaybackFetcher
from thresher.bench.running import prepare
from thresher.bench.webs.catalogue import find
from thresher.bench.webs.web import BenchWeb
from thresher.bench.webs.wikispeedia import REPORT, TUNE, wikispeedia, without_subjects
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.errors import InputError
from thresher.types import Answer, Candidate

HEAD = (
    '<h3 id="siteSub"><a href="../../index.htm">Selection</a>. '
    'Related subjects: <a href="../index/{0}.htm">{0}</a></h3>'
)
PAGES = {
    "wp/o/Oak.htm": HEAD.format("subject.Science.Biology.Plants")
    + '<p>A tree. <a href="../../wp/b/Boat.htm">Boats</a>.',
    "wp/b/Boat.htm": HEAD.format("subject.Everyday_life")
    + '<h3>Uses</h3><p><a href="../../wp/q/Qur%2527an.htm">Book</a>',
    "wp/q/Qur%27an.htm": "<p>A book.",
    "wp/c/Charity.htm": '<p>Please give. <a href="../../wp/o/Oak.htm">Oak</a>',
    "wp/index/subject.Science.htm": '<p><a href="../../wp/o/Oak.htm">Oak</a>',
    "index.htm": "<p>Root.",
}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A collection in the form of the real one, with pages written for it."""
    folder = tmp_path / "data" / "wikispeedia"
    folder.mkdir(parents=True)
    with tarfile.open(folder / "pages.tar.xz", "w:xz") as tar:
        for name, text in PAGES.items():
            member = tarfile.TarInfo(f"wpcd/{name}")
            member.size = len(text.encode())
            tar.addfile(member, BytesIO(text.encode()))
    rows = [
        "# article\tcategory",
        "",
        "Oak\tsubject.Science.Biology.Plants",
        "Boat\tsubject.Everyday_life",
        "Qur%27an\tsubject.Religion.Texts",
    ]
    (folder / "categories.tsv.gz").write_bytes(gzip.compress("\n".join(rows).encode()))
    return tmp_path / "data"


def fetched(web: BenchWeb, url: str) -> Answer:
    return run_virtual(PlaybackFetcher(web.served, VirtualClock()).fetch(Candidate(url=url, priority=())))


def leaks(web: BenchWeb, pages: PageCache) -> list[str]:
    """Return the pages on which a category is still told."""
    found = []
    for url in web.served:
        page = pages.page(url)
        assert page is not None
        index = [link for link in page.links if "/index/" in link.url or "subject." in link.url]
        if index or b"Related subjects: <a" in web.collection.answer(url).body:
            found.append(url)
    return found


def test_small_collection(small: Path) -> None:
    web = wikispeedia(small)
    pages = build_pages(web.collection)
    assert sorted(url.rpartition("/")[2] for url in web.served) == [
        "Boat.htm",
        "Charity.htm",
        "Oak.htm",
        "Qur%2527an.htm",
    ]
    assert leaks(web, pages) == []
    oak = pages.page("http://wikispeedia.test/wp/o/Oak.htm")
    assert oak is not None
    assert oak.words == ["A", "tree", "Boats"]
    boat = pages.number("http://wikispeedia.test/wp/b/Boat.htm")
    assert boat is not None
    assert [pages.urls[to] for to in pages.graph.after(boat)] == ["http://wikispeedia.test/wp/q/Qur%2527an.htm"]
    assert web.labels["http://wikispeedia.test/wp/o/Oak.htm"] == ("Science.Biology",)
    assert "http://wikispeedia.test/wp/c/Charity.htm" not in web.labels
    for gone in ("wp/index/subject.Science.htm", "index.htm", "wp/z/Zoo.htm"):
        answer = fetched(web, f"http://wikispeedia.test/{gone}")
        assert answer.status == 404
    assert fetched(web, "http://wikispeedia.test/wp/c/Charity.htm").status == 200


def test_only_the_heading_is_withheld() -> None:
    kept = b"<h3>Related matters</h3><table><th>Related subjects</th></table><h3>See also</h3>"
    assert without_subjects(kept) == kept
    assert without_subjects(b"<h3>One</h3><h3>Related subjects: x</h3><div>d</div>") == b"<h3>One</h3><div>d</div>"


def test_labels_without_a_page_are_told(small: Path) -> None:
    categories = small / "wikispeedia" / "categories.tsv.gz"
    categories.write_bytes(gzip.compress(b"Ghost\tsubject.Religion\n"))
    with pytest.raises(InputError, match="Ghost"):
        wikispeedia(small)


def test_the_collection_itself(data: Path) -> None:
    web = find("wikispeedia", data)
    assert (len(web.served), len(web.labels)) == (5232, 4598)
    assert set(TUNE + REPORT) <= set(web.topics)
    assert min(web.topics.values()) >= 20
    assert web.named(["tune"]) == list(TUNE)
    assert all(re.fullmatch(r"[^.]+(\.[^.]+)?", topic) for topic in web.topics)
    for gone in ("index.htm", "disclaimer.htm", "wp/index/subject.Science.Biology.htm", "wp/index/alpha.htm"):
        assert fetched(web, f"http://wikispeedia.test/{gone}").status == 404


def test_no_answer_of_the_collection_has_the_heading(data: Path) -> None:
    pages = find("wikispeedia", data).collection
    heads = [html for url in pages.urls() if b"index/subject" in (html := pages.answer(url).body)]
    assert heads == []


@pytest.mark.slow
def test_no_page_of_the_collection_tells_its_category(data: Path) -> None:
    web = find("wikispeedia", data)
    assert leaks(web, prepare("wikispeedia", data)) == []

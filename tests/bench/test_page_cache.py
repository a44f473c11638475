"""Parsed pages on disk are the pages that were read, and are read once."""

from pathlib import Path

import msgspec
import pytest

from tests.bench.handmade import HandMade, hand_web, url
from thresher.bench.page_building import build_pages
from thresher.bench.page_cache import open_pages, place_of
from thresher.documents.analyse import Reader
from thresher.types import ParsedPage

LINKS = {"a": "b c nowhere b a", "b": "", "c": "a", "-empty": "a"}


def test_a_cached_page_is_the_page_that_was_read() -> None:
    collection = HandMade(LINKS, {"b": "Boats sail, and boats sink."})
    pages = build_pages(collection)
    for name in ("a", "b", "c"):
        read = Reader().read(collection.answer(url(name)))
        assert isinstance(read, ParsedPage)
        # The words stand for the text, which is not kept beside them.
        assert pages.page(url(name)) == msgspec.structs.replace(read, text=" ".join(read.words))


def test_links_between_pages_are_kept_once_and_without_the_page_itself() -> None:
    pages = build_pages(HandMade(LINKS, {}))
    number = pages.number(url("a"))
    assert number is not None
    assert [pages.urls[to] for to in pages.graph.after(number)] == [url("b"), url("c")]


def test_a_page_without_words_and_title_is_no_page() -> None:
    pages = build_pages(HandMade(LINKS, {}))
    assert url("-empty") not in pages
    assert pages.page(url("-empty")) is None
    assert url("a") in pages
    assert url("nowhere") not in pages
    assert pages.number(url("nowhere")) is None


def test_decoding_is_bounded_and_changes_nothing() -> None:
    collection = HandMade({f"p{n}": "" for n in range(20)}, {})
    build_pages(collection)
    pages = open_pages(collection)
    assert pages is not None
    pages._kept = 3
    titles = [page.title for _ in range(2) for name in collection.urls() if (page := pages.page(name)) is not None]
    assert titles == [name.rpartition("/")[2] for name in collection.urls()] * 2
    assert len(pages._decoded) == 3


def test_pages_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    collection = HandMade(LINKS, {})
    assert open_pages(collection) is None
    build_pages(collection)
    monkeypatch.setattr(HandMade, "answer", None)
    assert url("a") in build_pages(collection)
    assert open_pages(collection) is not None


def test_other_data_is_another_cache() -> None:
    assert place_of(HandMade(LINKS, {})) != place_of(HandMade(LINKS, {"b": "other words"}))


def test_what_is_built_twice_at_once_is_complete() -> None:
    collection = HandMade(LINKS, {})
    place = place_of(collection)

    def meanwhile(done: int, of: int) -> None:
        build_pages(collection)

    many = HandMade({f"p{n}": "" for n in range(64)}, {})
    build_pages(many, on_progress=meanwhile)
    assert sorted(path.name for path in place.parent.iterdir()) == sorted([place.name, place_of(many).name])


def test_a_failed_build_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: HandMade, address: str) -> None:
        raise RuntimeError("the disk is gone")

    monkeypatch.setattr(HandMade, "answer", broken)
    collection = HandMade(LINKS, {})
    with pytest.raises(RuntimeError):
        build_pages(collection)
    assert list(place_of(collection).parent.iterdir()) == []


def test_an_empty_web_can_be_kept() -> None:
    web = hand_web({}, {})
    assert build_pages(web.collection).urls == []


def test_cache_lies_in_the_cache_folder(tmp_path: Path) -> None:
    assert place_of(HandMade(LINKS, {})).is_relative_to(tmp_path)

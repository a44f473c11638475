"""Exported lists of pages: other programs read them, and nothing that strangers wrote is obeyed there."""

import csv
import errno
import io
import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import InputError, UsageError
from thresher.exports.atom_feed import atom_lines
from thresher.exports.bookmark_file import bookmark_lines
from thresher.exports.csv_table import csv_lines
from thresher.exports.page_files import ENDINGS, write_pages
from thresher.exports.page_objects import KEYS, json_lines
from thresher.exports.site_files import write_sites
from thresher.store.page_records import AcceptedPage
from thresher.taxonomy import bookmarks

ATOM = "{http://www.w3.org/2005/Atom}"


def page(url: str = "http://a.test/", title: str = "A title", topic: str = "Pets/Cats", **more: float) -> AcceptedPage:
    numbers = {"confidence": 1.5, "probability": 0.75, "found": 1e9, **more}
    return AcceptedPage(url_id=1, url=url, title=title, topic=topic, **numbers)


pages = st.builds(
    page,
    url=st.text(max_size=9).map("http://a.test/{}".format),
    title=st.text(max_size=20),
    topic=st.sampled_from(["Cats", "Pets/Cats", "Pets", "=cmd"]),
    confidence=st.floats(allow_nan=False, allow_infinity=False),
    found=st.floats(0, 4e9),
)


def rows(lines: list[str]) -> list[list[str]]:
    return list(csv.reader(io.StringIO("".join(lines), newline="")))


def test_csv_has_a_column_for_each_key() -> None:
    head, row = rows(list(csv_lines([page()])))
    assert head == list(KEYS)
    assert row == ["http://a.test/", "A title", "Pets/Cats", "1.5", "0.75", "1000000000.0", "unreviewed"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d"])
def test_csv_holds_no_formula(start: str) -> None:
    _, row = rows(list(csv_lines([page(title=f'{start}HYPERLINK("http://evil.test")', confidence=-0.5)])))
    assert row[1].startswith(f"'{start}")
    assert row[3] == "-0.5"


@given(st.lists(pages, max_size=4))
def test_csv_keeps_every_title_in_its_cell(given: list[AcceptedPage]) -> None:
    found = rows(list(csv_lines(given)))[1:]
    assert [row[1].removeprefix("'") for row in found] == [page.title.removeprefix("'") for page in given]
    assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for row in found for cell in row[:3])


@given(st.lists(pages, max_size=4))
def test_json_lines_are_one_object_each(given: list[AcceptedPage]) -> None:
    lines = list(json_lines(given))
    assert [json.loads(line)["title"] for line in lines] == [page.title for page in given]
    assert all(line.count("\n") == 1 for line in lines)


def test_an_unknown_probability_is_null() -> None:
    assert json.loads(next(json_lines([page(probability=math.nan)])))["probability"] is None


@given(st.lists(pages, max_size=4))
def test_feeds_are_well_formed_whatever_pages_are_called(given: list[AcceptedPage]) -> None:
    feed = ElementTree.fromstring("".join(atom_lines(given, "Pets & <co>", at=1e9)))
    assert feed.findtext(f"{ATOM}title") == "Pets & <co>"
    assert feed.findtext(f"{ATOM}updated") == "2001-09-09T01:46:40+00:00"
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) == len(given)
    for entry, page in zip(entries, given, strict=True):
        category = entry.find(f"{ATOM}category")
        assert category is not None
        assert category.get("term") == page.topic
        assert entry.findtext(f"{ATOM}title")


def test_a_feed_with_an_address_says_so() -> None:
    feed = ElementTree.fromstring("".join(atom_lines([], "t", at=0.0, address='http://p.test/new.atom?a="&b')))
    link = feed.find(f"{ATOM}link")
    assert link is not None
    assert (link.get("rel"), link.get("href")) == ("self", 'http://p.test/new.atom?a="&b')


def test_bookmarks_have_a_folder_for_each_topic() -> None:
    hostile = '</A><script>"&'
    given = [
        page("http://a.test/1", hostile, "Pets/Cats"),
        page("http://a.test/2", "Two", "Pets"),
        page("http://a.test/3", "Three", "Pets/TCP%2FIP"),
    ]
    text = "".join(bookmark_lines(given))
    assert "<script" not in text
    found = {mark.url: mark for mark in bookmarks.read(text.encode())}
    assert {url: mark.folders for url, mark in found.items()} == {
        "http://a.test/1": ("Pets", "Cats"),
        "http://a.test/2": ("Pets",),
        "http://a.test/3": ("Pets", "TCP/IP"),
    }
    assert found["http://a.test/1"].title == hostile
    assert found["http://a.test/1"].added == 10**9


@pytest.mark.parametrize("ending", [*ENDINGS, ".CSV"])
def test_the_ending_of_a_file_decides_the_format(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"list{ending}"
    assert write_pages(file, iter([page()]), title="t", at=0.0) == 1
    assert "http://a.test/" in file.read_text("utf-8")
    assert [found.name for found in tmp_path.iterdir()] == [file.name]


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_text("mine")
    with pytest.raises(InputError, match="already exists"):
        write_pages(file, [page()], title="t", at=0.0)
    assert file.read_text() == "mine"
    assert write_pages(file, [page()], title="t", at=0.0, force=True) == 1
    assert file.read_text() != "mine"


@pytest.mark.parametrize(
    "write", [lambda file: write_pages(file, [], title="", at=0.0), lambda file: write_sites(file, [])]
)
def test_a_disk_that_can_only_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path], object]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    for method in ("open", "unlink"):
        monkeypatch.setattr(Path, method, refuse)
    with pytest.raises(InputError, match="cannot be written: Read-only file system"):
        write(tmp_path / "a.csv")


def test_unknown_endings_and_places_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be exported"):
        write_pages(tmp_path / "list.xlsx", [], title="t", at=0.0)
    with pytest.raises(InputError, match="cannot be written"):
        write_pages(tmp_path / "missing" / "list.csv", [], title="t", at=0.0)

"""What bookmark services and browsers write each in its own way: dates, notes, tags, packed and damaged files."""

import json
import plistlib
import time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thresher.taxonomy.bookmark_dates import moment
from thresher.taxonomy.bookmarks import read, read_shelf
from thresher.taxonomy.from_bookmarks import from_bookmarks
from thresher.taxonomy.mozilla_lz4 import MARK, unpack
from thresher.taxonomy.shelves import MAX_DEPTH
from thresher.taxonomy.to_bookmarks import to_bookmarks
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, put

SCUTTLE = b"""<!DOCTYPE NETSCAPE-Bookmark-file-1><dl><p>
<dt><a href="http://knots.test/" description="Rope &amp; wire" tags="rope,wire" time="2010-02-03T04:05:06Z">K</a>
<dt><a href="http://boats.test/" note="Small ones" tags="system:unfiled" time="2010-02-03T04:05:07Z">B</a>
</dl>"""


def test_scuttle_keeps_notes_and_dates_in_attributes() -> None:
    knots, boats = read(SCUTTLE)
    assert (knots.note, knots.added, knots.tags) == ("Rope & wire", 1265169906, ("rope", "wire"))
    assert (boats.note, boats.added) == ("Small ones", 1265169907)


def test_a_description_below_an_entry_counts_more_than_its_attribute() -> None:
    (mark,) = read(b"<DL><DT><A HREF='http://a.test/' DESCRIPTION='short'>A</A><DD>The whole note</DL>")
    assert mark.note == "The whole note"


def test_pocket_says_when_with_a_name_of_its_own() -> None:
    text = b'<h1>Unread</h1><ul><li><a href="http://a.test/" time_added="1410000000" tags="a,b">A</a></li></ul>'
    (mark,) = read(text)
    assert (mark.added, mark.tags) == (1410000000, ("a", "b"))


@pytest.mark.parametrize(
    "written",
    [
        "971175336",
        "971175336000",
        "10/Oct/2000:13:55:36 +0300",
        "2000-10-10T10:55:36Z",
        "2000-10-10 13:55:36+03:00",
        "2000-10-10 10:55:36",
        "Tue, 10 Oct 2000 10:55:36 GMT",
    ],
)
def test_dates_may_be_written_out(written: str) -> None:
    (mark,) = read(f'<DT><A HREF="http://a.test/" ADD_DATE="{written}">A</A>'.encode())
    assert mark.added == 971175336


@given(st.text(max_size=80) | st.from_regex(r"\d{1,2}/[A-Z][a-z]{2}/\d{1,5}:\d\d:\d\d:\d\d [+-]\d{4}", fullmatch=True))
def test_no_date_raises(written: str) -> None:
    found = moment(written)
    assert found is None or found > 0


def test_tags_are_parted_by_spaces_where_the_file_has_no_commas() -> None:
    spaces = b"<DT><A HREF='http://a.test/' TAGS='rope work'>A</A><DT><A HREF='http://b.test/' TAGS='boats'>B</A>"
    assert [mark.tags for mark in read(spaces)] == [("rope", "work"), ("boats",)]
    commas = b"<DT><A HREF='http://a.test/' TAGS='rope work'>A</A><DT><A HREF='http://b.test/' TAGS='b,c'>B</A>"
    assert [mark.tags for mark in read(commas)] == [("rope work",), ("b", "c")]


@given(st.lists(st.lists(st.text("ab ,", min_size=1, max_size=5), max_size=3), min_size=1, max_size=3))
def test_tags_of_our_own_files_come_back_as_they_were(tags: list[list[str]]) -> None:
    pages = tuple(TrainingPage(f"http://a.test/{n}", tags=tuple(dict.fromkeys(own))) for n, own in enumerate(tags))
    tree = put(Taxonomy(), ("Boats",), Topic(name="", pages=pages))
    assert from_bookmarks(to_bookmarks(tree).encode()).taxonomy.root.children[0].pages == pages


def packed(data: bytes) -> bytes:
    """Pack data as LZ4 does: whatever was there before is named by its place, the rest stands as it is."""
    out, at, literals = bytearray(), 0, bytearray()
    while at < len(data):
        back, length = 0, 0
        for start in range(max(0, at - 300), at):
            same = 0
            while at + same < len(data) and data[start + same] == data[at + same]:
                same += 1
            if same > length:
                back, length = at - start, same
        if length < 4:
            literals.append(data[at])
            at += 1
            continue
        _sequence(out, literals, length - 4)
        out += back.to_bytes(2, "little")
        _more(out, length - 4)
        literals.clear()
        at += length
    _sequence(out, literals, 0)
    return MARK + len(data).to_bytes(4, "little") + bytes(out)


def _sequence(out: bytearray, literals: bytearray, repeated: int) -> None:
    out.append(min(15, len(literals)) << 4 | min(15, repeated))
    _more(out, len(literals))
    out += literals


def _more(out: bytearray, length: int) -> None:
    if length >= 15:
        whole, rest = divmod(length - 15, 255)
        out += b"\xff" * whole + bytes([rest])


@given(st.binary(max_size=200) | st.text("ab", max_size=700).map(str.encode))
def test_packed_backups_unpack_to_what_was_packed(data: bytes) -> None:
    assert unpack(packed(data)) == data


@given(st.binary(max_size=60), st.integers(0, 2**32 - 1))
@example(b"<a href='http://a.test/'>", 0)
def test_damaged_backups_give_nothing_and_cost_nothing(block: bytes, size: int) -> None:
    assert read(MARK + size.to_bytes(4, "little") + block) == []


def test_firefox_backups_are_read_packed() -> None:
    page = {"uri": "http://a.test/", "title": "A", "tags": "rope work", "dateAdded": 1500000000000000}
    root = {"guid": "root________", "children": [{"guid": "menu________", "title": "menu", "children": [page]}]}
    (mark,) = read(packed(json.dumps(root).encode()))
    assert (mark.url, mark.folders, mark.tags) == ("http://a.test/", ("menu",), ("rope work",))


def leaf(number: int) -> dict[str, Any]:
    return {
        "WebBookmarkType": "WebBookmarkTypeLeaf",
        "URLString": f"http://a.test/{number}",
        "URIDictionary": {"title": "Ä"},
    }


SAFARI = {
    "WebBookmarkType": "WebBookmarkTypeList",
    "Children": [{"Title": "BookmarksBar", "Children": [leaf(0), leaf(1)]}],
}


@given(
    st.sampled_from([plistlib.dumps(SAFARI, fmt=form) for form in (plistlib.FMT_BINARY, plistlib.FMT_XML)]),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=5),
    st.integers(0, 2000),
)
def test_damaged_safari_lists_never_raise(data: bytes, changes: list[tuple[int, int]], end: int) -> None:
    damaged = bytearray(data)
    for place, value in changes:
        damaged[place % len(damaged)] = value
    assert all(isinstance(mark.url, str) for mark in read(bytes(damaged[: end or None])))


@pytest.mark.parametrize(
    "date", ["<date>soon</date>", "<date></date>", "<integer>x</integer>", "<dict><string>a</string></dict>"]
)
def test_safari_lists_with_nonsense_in_them_give_nothing(date: str) -> None:
    plain = plistlib.dumps(SAFARI).decode()
    assert len(read(plain.encode())) == 2
    assert read(plain.replace("<dict>", f"<dict><key>When</key>{date}", 1).encode()) == []


def test_a_safari_list_that_holds_one_folder_many_times_is_read_once() -> None:
    # Each level names the one below twice; walking all ways would take 2**60 steps.
    inner: dict[str, Any] = {"Children": [leaf(0)]}
    for _ in range(60):
        inner = {"Children": [inner, inner]}
    shelf = read_shelf(_shared(inner))
    assert [mark.url for mark in shelf.bookmarks] == ["http://a.test/0"]


def _shared(root: dict[str, Any]) -> bytes:
    """Write a binary property list in which an object that is named twice stands once."""
    objects: list[Any] = []
    places: dict[int, int] = {}

    def place(value: Any) -> int:
        if id(value) not in places:
            places[id(value)] = len(objects)
            objects.append(value)
            for part in (
                [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
            ):
                place(part)
        return places[id(value)]

    place(root)
    out, offsets = bytearray(b"bplist00"), []
    for value in objects:
        offsets.append(len(out))
        if isinstance(value, str):
            kind, written = (0x5F, value.encode()) if value.isascii() else (0x6F, value.encode("utf-16-be"))
            out += bytes([kind, 0x11]) + len(value).to_bytes(2, "big") + written
        elif isinstance(value, list):
            out += bytes([0xA0 | len(value)]) + b"".join(places[id(part)].to_bytes(2, "big") for part in value)
        else:
            parts = [*value, *value.values()]
            out += bytes([0xD0 | len(value)]) + b"".join(places[id(part)].to_bytes(2, "big") for part in parts)
    table = len(out)
    out += b"".join(offset.to_bytes(4, "big") for offset in offsets)
    out += bytes(6) + bytes([4, 2]) + len(objects).to_bytes(8, "big") + bytes(8) + table.to_bytes(8, "big")
    return bytes(out)


HOSTILE = {
    "open tags": b"<a ",
    "brackets in quotes": b'<a x=">" ',
    "quotes of two kinds": b"<a x='\">",
    "open comments": b"<!--",
    "nested folders": b"<DL><DT><H3>x</H3>",
    "links in a description": b"<dd><a add_date=1 ",
}


@pytest.mark.parametrize("part", HOSTILE.values(), ids=HOSTILE.keys())
def test_reading_takes_time_in_proportion_to_the_file(part: bytes) -> None:
    def seconds(repeated: int) -> float:
        started = time.process_time()
        read(part * repeated)
        return time.process_time() - started

    once = min(seconds(2_000) for _ in range(3))
    # Sixteen times as much: in proportion that is a factor of 16, and 256 where it grows with the square.
    assert seconds(32_000) < 80 * max(once, 0.002)


def test_folders_below_the_deepest_are_counted() -> None:
    shelf = read_shelf(b"<DL><DT><H3>x</H3>" * 1000 + b"<DL><DT><A HREF='http://a.test/'>A")
    assert shelf.too_deep == 1000 - MAX_DEPTH
    assert len(shelf.bookmarks[0].folders) == MAX_DEPTH

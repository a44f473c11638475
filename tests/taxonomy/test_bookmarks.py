"""Bookmark files as real browsers and services write them; the texts are written for these tests."""

import json
import plistlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.taxonomy.bookmarks import Bookmark, read, read_shelf
from thresher.taxonomy.shelves import MAX_DEPTH

FIREFOX = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file. -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>

<DL><p>
    <DT><A HREF="place:type=6&sort=14&maxResults=10">Recent Tags</A>
    <HR>    <DT><H3 ADD_DATE="1500000000" LAST_MODIFIED="1500000001">Sailing &amp; boats</H3>
    <DD>Everything that floats
    <DL><p>
        <DT><A HREF="https://knots.test/?a=1&amp;b=2" ADD_DATE="1500000002" ICON="data:image/png;base64,i>V/="
 TAGS="knots,rope work">Knots &lt;all&gt;</A>
        <DD>A good list,
with pictures
        <DT><H3>Ships</H3>
        <DL><p>
            <DT><A HREF="https://tall.test/">Tall ships</A>
        </DL><p>
    </DL><p>
    <DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Toolbar</H3>
    <DL><p>
        <DT><A HREF="https://loose.test/">Loose</A>
    </DL><p>
</DL>
"""


def test_firefox() -> None:
    found = read(FIREFOX.encode())
    assert [(mark.url, mark.folders) for mark in found] == [
        ("place:type=6&sort=14&maxResults=10", ()),
        ("https://knots.test/?a=1&b=2", ("Sailing & boats",)),
        ("https://tall.test/", ("Sailing & boats", "Ships")),
        ("https://loose.test/", ("Toolbar",)),
    ]
    assert found[1] == Bookmark(
        "https://knots.test/?a=1&b=2",
        "Knots <all>",
        ("Sailing & boats",),
        1500000002,
        "A good list,\nwith pictures",
        ("knots", "rope work"),
    )
    folders = {folder.name: folder for folder in read_shelf(FIREFOX.encode()).folders}
    assert folders["Sailing & boats"].note == "Everything that floats"
    assert folders["Toolbar"].made_by_browser
    assert not folders["Ships"].made_by_browser


DELICIOUS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p><DT><A HREF="http://one.test/" ADD_DATE="1300000000" PRIVATE="0" TAGS="web,search">One</A>
<DD>First line<br/>second with <a href="http://inside.test/">a link</a> in it
<DT><A HREF="http://two.test/" ADD_DATE="1300000001" PRIVATE="1" TAGS="">Two</A>
</DL><p>"""


def test_delicious_descriptions_may_hold_links() -> None:
    first, second = read(DELICIOUS.encode())
    assert first.note == "First line\nsecond with a link in it"
    assert (first.tags, second.tags) == (("web", "search"), ())


def test_missing_end_tags_and_lower_case() -> None:
    text = "<dl><dt><h3>A<dl><dt><a href=http://a.test/>One<dt><a href='http://b.test/'>Two<dd>Note<dt><h3>B<dl>"
    found = read((text + "<dt><a href=http://c.test/>C").encode())
    assert [(mark.url, mark.title, mark.folders, mark.note) for mark in found] == [
        ("http://a.test/", "One", ("A",), ""),
        ("http://b.test/", "Two", ("A",), "Note"),
        ("http://c.test/", "C", ("A", "B"), ""),
    ]


def test_a_heading_without_any_list_is_a_folder() -> None:
    found = read(b"<h3>A</h3><a href=http://a.test/>x</a><h3>B</h3><a href=http://b.test/>y</a>")
    assert [mark.folders for mark in found] == [("A",), ("B",)]


def test_an_empty_folder_does_not_swallow_what_follows() -> None:
    found = read(
        b"<DL><DT><H3>Empty</H3><DT><A HREF='http://a.test/'>x</A><DT><H3>Full</H3><DL><DT><A HREF='http://b.test/'>"
    )
    assert [mark.folders for mark in found] == [(), ("Full",)]


@pytest.mark.parametrize(
    ("data", "title"),
    [
        ("<DT><A HREF='http://a.test/'>Käse</A>".encode("utf-16"), "Käse"),
        (b"\xef\xbb\xbf" + "<DT><A HREF='http://a.test/'>Käse</A>".encode(), "Käse"),
        ("<META CONTENT=\"text/html; charset=koi8-r\"><DT><A HREF='http://a.test/'>Сыр</A>".encode("koi8-r"), "Сыр"),
        ("<DT><A HREF='http://a.test/'>Käse</A>".encode("cp1252"), "Käse"),
        (b"<META CHARSET=\"rot13\"><DT><A HREF='http://a.test/'>K\xe4se</A>", "Käse"),
    ],
    ids=["utf-16", "bom", "named", "windows", "no text encoding"],
)
def test_encodings(data: bytes, title: str) -> None:
    assert [mark.title for mark in read(data)] == [title]


def test_chrome_json() -> None:
    bar = {
        "type": "folder",
        "name": "Bookmarks bar",
        "children": [
            {"type": "url", "name": "A", "url": "http://a.test/", "date_added": "13000000000000000"},
            {"type": "folder", "name": "Boats", "children": [{"type": "url", "name": "B", "url": "http://b.test/"}]},
        ],
    }
    shelf = read_shelf(json.dumps({"checksum": "x", "roots": {"bookmark_bar": bar, "version": 1}}).encode())
    assert [(mark.url, mark.folders) for mark in shelf.bookmarks] == [
        ("http://a.test/", ("Bookmarks bar",)),
        ("http://b.test/", ("Bookmarks bar", "Boats")),
    ]
    assert shelf.bookmarks[0].added == 1355526400
    assert [folder.made_by_browser for folder in shelf.folders] == [True, False]


def test_firefox_json() -> None:
    root = {
        "guid": "root________",
        "title": "",
        "children": [
            {
                "guid": "menu________",
                "title": "menu",
                "children": [
                    {"uri": "http://a.test/", "title": "A", "tags": "x,y", "dateAdded": 1500000000000000},
                    {"type": "text/x-moz-place-separator"},
                ],
            }
        ],
    }
    (mark,) = read(json.dumps(root).encode())
    assert mark == Bookmark("http://a.test/", "A", ("menu",), 1500000000, "", ("x", "y"))


def test_safari_property_list() -> None:
    leaf = {
        "WebBookmarkType": "WebBookmarkTypeLeaf",
        "URLString": "http://a.test/",
        "URIDictionary": {"title": "A"},
    }
    tree = {"WebBookmarkType": "WebBookmarkTypeList", "Children": [{"Title": "BookmarksBar", "Children": [leaf]}]}
    for form in (plistlib.FMT_BINARY, plistlib.FMT_XML):
        (mark,) = read(plistlib.dumps(tree, fmt=form))
        assert (mark.url, mark.folders) == ("http://a.test/", ("BookmarksBar",))


def test_endless_nesting_is_cut() -> None:
    deep = "<DL><DT><H3>x</H3>" * 5000 + "<DL><DT><A HREF='http://a.test/'>A"
    (mark,) = read(deep.encode())
    assert len(mark.folders) == MAX_DEPTH
    assert read(b'{"roots": {"a": ' + b'{"children": [' * 100_000) == []


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("1500000000", 1500000000),
        ("1500000000123", 1500000000),
        ("1500000000123456", 1500000000),
        ("-5", None),
        ("", None),
        ("9" * 5000, None),
    ],
    ids=["s", "ms", "us", "negative", "empty", "huge"],
)
def test_dates(written: str, seconds: int | None) -> None:
    (mark,) = read(f'<DT><A HREF="http://a.test/" ADD_DATE="{written}">A</A>'.encode())
    assert mark.added == seconds


@given(st.binary(max_size=300) | st.text(alphabet="<>/=\"' aAdDhHtTlLrReEfF3!-\n", max_size=300).map(str.encode))
def test_nothing_raises(data: bytes) -> None:
    assert all(isinstance(mark.url, str) for mark in read(data))


@given(
    st.lists(
        st.sampled_from(["<DL>", "</DL>", "<DT>", "<H3>F</H3>", "<DT><A HREF='http://a.test/'>t</A>", "<DD>n", "<p>"]),
        max_size=60,
    )
)
def test_every_link_becomes_one_bookmark(parts: list[str]) -> None:
    text = "".join(parts)
    found = read(text.encode())
    assert len(found) == text.count("<A ")

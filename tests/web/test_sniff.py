"""Sniffing: the standard's tables, labels that lie, labels that are final, and arbitrary bytes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import HTML, PDF, PNG, TAR, TEXT, XHTML, ZIP

from tests.machine import spending
from thresher.web.sniff import SNIFFED, UNKNOWN, essence, last_type, may_lie, sniff


@pytest.mark.parametrize(
    ("head", "mime"),
    [
        (HTML, "text/html"),
        (b" \t\r\n\x0c<HTML LANG=en>", "text/html"),
        (b"<!DOCTYPE HTML\n PUBLIC", "text/html"),
        (b"<script>", "text/html"),
        (b"<iframe src=x>", "text/html"),
        (b"<h1>Hello", "text/html"),
        (b"<a href=x>", "text/html"),
        (b"<br/>", "text/html"),
        (b"<!--[if IE]>", "text/html"),
        (b"<meta charset=utf-8>", "text/html"),
        (b"\xef\xbb\xbf" + HTML, "text/html"),
        (b"\xff\xfe" + HTML.decode().encode("utf-16-le"), "text/html"),
        (b"\xfe\xff" + HTML.decode().encode("utf-16-be"), "text/html"),
        (b"<abbr>not in the table", "text/plain"),
        (b"< p>", "text/plain"),
        (b"<?xml version='1.0'?><rss>", "text/xml"),
        (XHTML, "application/xhtml+xml"),
        (PDF, "application/pdf"),
        (b"%!PS-Adobe-3.0", "application/postscript"),
        (PNG, "image/png"),
        (b"GIF89a\x01\0", "image/gif"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
        (b"BM\x36\0\0\0", "image/bmp"),
        (b"\0\0\1\0\1\0", "image/x-icon"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "audio/wave"),
        (b"OggS\0\2", "application/ogg"),
        (b"ID3\x03\0", "audio/mpeg"),
        (b"\0\0\0\x18ftypmp42", "video/mp4"),
        (b"\x1a\x45\xdf\xa3\x9f", "video/webm"),
        (b"wOFF\0\1\0\0", "font/woff"),
        (b"\x1f\x8b\x08\0", "application/gzip"),
        (ZIP, "application/zip"),
        (b"Rar!\x1a\x07\0", "application/x-rar-compressed"),
        (TAR, "application/x-tar"),
        (TEXT, "text/plain"),
        ("Bäume\n".encode("latin-1"), "text/plain"),
        (b"\x1b$B%F%9%H\x1b(B", "text/plain"),
        (b"\xfe\xff\0B\0o", "text/plain"),
        (b"", "text/plain"),
        (b"\x01\x02\x03", UNKNOWN),
        (b"BMW drives", "text/plain"),
        (b"ID3 is a tag", "text/plain"),
        (b"BZh", "text/plain"),
    ],
)
def test_a_document_without_a_label_is_what_it_looks_like(head: bytes, mime: str) -> None:
    assert sniff(head) == mime
    for nothing in ("application/octet-stream", "unknown/unknown", "*/*", "", "html", "binary/octet-stream; x=y"):
        assert sniff(head, nothing) == mime


@pytest.mark.parametrize("label", ["text/html", "Text/HTML; charset=utf-8", "text/plain", "application/xhtml+xml"])
@pytest.mark.parametrize(
    ("head", "mime"),
    [(PDF, "application/pdf"), (PNG, "image/png"), (ZIP, "application/zip"), (TAR, "application/x-tar")],
)
def test_what_is_plainly_no_text_is_not_read_as_text(label: str, head: bytes, mime: str) -> None:
    assert sniff(head, label) == mime


@pytest.mark.parametrize(
    ("head", "label", "mime"),
    [
        (TEXT, "text/html", "text/html"),
        (b"", "text/html", "text/html"),
        (b"BM in the stock market", "text/html", "text/html"),
        (b"<p>a stray control byte \x07 does no harm" + b"." * 100, "text/html", "text/html"),
        ("<p>ab".encode("utf-16-le"), "text/html", "text/html"),
        ("<p>東京都の天気予報".encode("utf-16-be"), "text/html; charset=UTF-16", "text/html"),
        (b"\xfe\xff" + "<p>東京都の天気予報".encode("utf-16-be"), "text/html", "text/html"),
        (bytes(range(32)) * 8, "text/html", UNKNOWN),
        (HTML, "text/plain", "text/plain"),
        (b"text with \x01", "text/plain; charset=UTF-8", UNKNOWN),
        ("wide".encode("utf-16-le"), "text/plain; charset=utf-16", "text/plain"),
        (b"\xff\xfe" + "wide".encode("utf-16-le"), "text/plain", "text/plain"),
        (XHTML, "application/xml", "application/xhtml+xml"),
        (b"<?xml version='1.0'?><rss>", "text/xml", "text/xml"),
        (b"<svg>", "image/svg+xml", "image/svg+xml"),
        (HTML, "application/pdf", "application/pdf"),
        (HTML, "image/png", "image/png"),
        (HTML, "application/json", "application/json"),
    ],
)
def test_a_label_holds_where_nothing_speaks_against_it(head: bytes, label: str, mime: str) -> None:
    assert sniff(head, label) == mime


@pytest.mark.parametrize(
    ("head", "label", "mime"),
    [
        (PDF, "text/html", "text/html"),
        (HTML, "application/octet-stream", "application/octet-stream"),
        (PNG, "text/plain", "text/plain"),
        (HTML, None, "text/plain"),
        (TEXT, "", "text/plain"),
        (PNG, None, "image/png"),
    ],
)
def test_nosniff_makes_a_label_final(head: bytes, label: str | None, mime: str) -> None:
    assert sniff(head, label, nosniff=True) == mime


def test_only_the_first_bytes_count() -> None:
    assert sniff(b"x" * SNIFFED + b"\0", "text/plain") == "text/plain"
    assert sniff(b"x" * (SNIFFED - 1) + b"\0", "text/plain") == UNKNOWN
    assert sniff(b" " * (SNIFFED - 3) + b"<p>") == "text/html"
    assert sniff(b" " * SNIFFED + b"<p>") == "text/plain"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ([], None),
        (["text/html"], "text/html"),
        (["text/plain", "text/html; charset=utf-8"], "text/html; charset=utf-8"),
        (["text/html", "", "nonsense"], "text/html"),
        (["text/html, text/plain"], "text/plain"),
    ],
)
def test_the_last_type_counts(fields: list[str], expected: str | None) -> None:
    assert last_type(fields) == expected


@pytest.mark.parametrize(
    ("declared", "nosniff", "expected"),
    [
        (None, False, True),
        (None, True, True),
        ("text/html", False, True),
        ("text/html", True, False),
        ("image/svg+xml", False, True),
        ("image/png", False, False),
        ("application/pdf", False, False),
        ("application/octet-stream", False, True),
        ("application/octet-stream", True, False),
    ],
)
def test_bytes_are_asked_for_only_where_they_can_tell(declared: str | None, nosniff: bool, expected: bool) -> None:
    assert may_lie(declared, nosniff) is expected


LABELS = st.none() | st.text(max_size=60) | st.sampled_from(["text/html", "text/plain", "text/xml", "image/png", "*/*"])


@given(st.binary(max_size=2000), LABELS, st.booleans())
def test_any_bytes_have_a_type(head: bytes, label: str | None, nosniff: bool) -> None:
    found = sniff(head, label, nosniff)
    assert re.fullmatch(r"[^/\s;]+/[^/\s;]+", found)
    if not may_lie(label, nosniff):
        assert found == essence(label)
    if essence(label) == "text/plain":
        assert found not in ("text/html", "application/xhtml+xml", "text/xml")


@pytest.mark.parametrize(
    "head", [b"<!-" * 500, b"<!--" * 400, b"<?" * 700, b"<?>" * 480, b" <!-- -" * 200, b"\n" * 1445]
)
def test_hostile_beginnings_cost_little(head: bytes) -> None:
    with spending() as spent:
        for label in (None, "text/html", "text/xml"):
            sniff(head, label)
    assert spent.seconds < 4

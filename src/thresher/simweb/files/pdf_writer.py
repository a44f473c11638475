"""Writes PDF (ISO 32000-1): lines of equal width in a standard font, with links as annotations over their words.

Letters beyond Latin-1 are written by their Unicode numbers, with a mapping table. The file then names a font without
embedding it, which is enough for extracting the text.
"""

import re
import textwrap
from collections.abc import Iterator
from typing import Final, NamedTuple

from thresher.simweb.files.text_runs import Draft

_WIDTH: Final = 80
_LINES: Final = 60
_SIZE: Final = 10
_ADVANCE: Final = 6
_LEADING: Final = 12
_LEFT: Final = 50
_TOP: Final = 780
_MADE: Final = "D:20240131120000Z"
_RTL: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff"
_RIGHT_TO_LEFT: Final = re.compile(f"[{_RTL}](?:[{_RTL} ]*[{_RTL}])?")
_TO_UNICODE: Final = (
    b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def /CMapType 2 def\n"
    b"1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
    + b"".join(
        b"%d beginbfrange\n" % len(block)
        + b"".join(b"<%02X00> <%02XFF> <%02X00>\n" % (high, high, high) for high in block)
        + b"endbfrange\n"
        for block in [range(start, min(start + 100, 256)) for start in range(0, 256, 100)]
    )
    + b"endcmap end end"
)


class _Placed(NamedTuple):
    """A link on a page: line and column of its start, and its length in characters."""

    line: int
    column: int
    length: int
    href: str


def write_pdf(draft: Draft) -> bytes:
    """Return a PDF; the same draft gives the same bytes.

    >>> from thresher.simweb.files.text_runs import TextRun
    >>> write_pdf(Draft("Boats", [[TextRun("Boats float.")]]))[:8]
    b'%PDF-1.4'
    """
    unicode = any(ord(char) > 0xFF for paragraph in draft.paragraphs for run in paragraph for char in run.text)
    objects: list[bytes] = [b"", b"", *_font(unicode)]
    pages: list[int] = []
    for lines, links in _pages(draft):
        content = _content(lines, unicode)
        objects.append(b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content))
        annotations = b" ".join(_annotation(link) for link in links)
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R"
            b"/Annots[%s]>>" % (len(objects), annotations)
        )
        pages.append(len(objects))
    language = b"/Lang%s" % _string(draft.language) if draft.language else b""
    objects[0] = b"<</Type/Catalog/Pages 2 0 R%s>>" % language
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), b" ".join(b"%d 0 R" % page for page in pages))
    objects.append(
        b"<</Title%s/Author%s/CreationDate%s>>" % (_string(draft.title), _string(draft.author), _string(_MADE))
    )
    return _file(objects)


def _font(unicode: bool) -> list[bytes]:
    if not unicode:
        return [b"<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>"]
    return [
        b"<</Type/Font/Subtype/Type0/BaseFont/Courier/Encoding/Identity-H/DescendantFonts[4 0 R]/ToUnicode 5 0 R>>",
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/Courier/DW 600/CIDToGIDMap/Identity"
        b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 6 0 R>>",
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(_TO_UNICODE), _TO_UNICODE),
        b"<</Type/FontDescriptor/FontName/Courier/Flags 4/ItalicAngle 0/Ascent 700/Descent -200/CapHeight 600"
        b"/StemV 80/FontBBox[0 -200 600 800]>>",
    ]


def _pages(draft: Draft) -> Iterator[tuple[list[str], list[_Placed]]]:
    """Yield the lines of each page with their links; a link ends with its line."""
    lines: list[str] = []
    links: list[_Placed] = []
    for paragraph in draft.paragraphs:
        text = "".join(run.text for run in paragraph)
        hrefs = [run.href for run in paragraph for _ in run.text]
        at = 0
        for line in textwrap.wrap(text, _WIDTH) or [""]:
            at = text.index(line[:1], at) if line else at
            links += _on_line(len(lines), line, hrefs[at : at + len(line)])
            at += len(line)
            lines.append(line)
            if len(lines) == _LINES:
                yield lines, links
                lines, links = [], []
        lines.append("")
    yield lines, links


def _on_line(number: int, line: str, hrefs: list[str]) -> Iterator[_Placed]:
    start = 0
    for column in range(1, len(line) + 1):
        href = hrefs[start] if start < len(hrefs) else ""
        if column == len(line) or column >= len(hrefs) or hrefs[column] != href:
            if href:
                yield _Placed(number, start, column - start, href)
            start = column


def _content(lines: list[str], unicode: bool) -> bytes:
    shown = [_shown(line, unicode) for line in lines]
    return b"BT /F %d Tf %d TL %d %d Td\n%s\nET" % (_SIZE, _LEADING, _LEFT, _TOP, b"\n".join(shown))


def _shown(line: str, unicode: bool) -> bytes:
    if unicode:
        # On paper, the letters of such a script run from right to left.
        line = _RIGHT_TO_LEFT.sub(lambda match: match[0][::-1], line)
        return b"<%s> Tj T*" % line.encode("utf-16-be").hex().encode()
    return b"(%s) Tj T*" % _escaped(line.encode("cp1252", "replace"))


def _annotation(link: _Placed) -> bytes:
    left, bottom = _LEFT + _ADVANCE * link.column, _TOP - _LEADING * link.line - 2
    box = b"%d %d %d %d" % (left, bottom, left + _ADVANCE * link.length, bottom + _SIZE)
    address = _escaped(link.href.encode("ascii", "replace"))
    return b"<</Type/Annot/Subtype/Link/Rect[%s]/Border[0 0 0]/A<</S/URI/URI(%s)>>>>" % (box, address)


def _string(text: str) -> bytes:
    return b"<FEFF%s>" % text.encode("utf-16-be").hex().encode()


def _escaped(data: bytes) -> bytes:
    return data.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _file(objects: list[bytes]) -> bytes:
    """Return objects as a file with its cross-reference table; the last object is the file's metadata."""
    body = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    places: list[int] = []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer <</Size %d/Root 1 0 R/Info %d 0 R>>" % (len(objects) + 1, len(objects))
    return body + b"xref\n0 %d\n0000000000 65535 f \n%s%s\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        table,
        trailer,
        len(body),
    )

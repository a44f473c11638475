"""Extracts text, links and language of a PDF with PDFium.

It is separate from `documents/formats/`, so processes that only need file types do not load PDFium.
"""

import ctypes
import re
from typing import Any, Final, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from thresher.documents.formats.limits import ReaderGaveUp
from thresher.documents.formats.prose import TextCollector
from thresher.reasons import Reason

_PASSWORD: Final = 4
_LINKS_OF_PAGE: Final = 1000
_LONGEST_LINK: Final = 2000
_LONGEST_LANGUAGE: Final = 64
_NEAR: Final = 3.0
_LINE: Final = 14.0
_END: Final = 1 << 30
# PDFium marks a word hyphenated at the end of a line with a noncharacter.
_HYPHEN: Final = re.compile("\ufffe\r?\n?|\x02\r?\n?")
_NOTHING: Final = str.maketrans({"\x00": " ", "\ufffe": None, "\uffff": None})


def open_pdf(body: bytes) -> pypdfium2.PdfDocument:
    """Return the document, to be closed by the caller; raise Refusal if it is encrypted or broken."""
    try:
        return pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD or "password" in str(error).lower():
            raise ReaderGaveUp(Reason.ENCRYPTED, "it needs a password") from None
        raise ReaderGaveUp(Reason.UNREADABLE, "its PDF structure is broken") from None


def say_page(document: pypdfium2.PdfDocument, index: int, prose: TextCollector) -> bool:
    """Add the text of a page to `prose`; return whether there is such a page."""
    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        return False
    try:
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        page.close()
        return True
    try:
        text = _Characters(text_page)
        at = 0
        for place in sorted({place.start: place for place in _links(page, text_page)}.values()):
            start, end = max(place.start, at), max(place.end, at)
            prose.say(text.between(at, start))
            prose.begin_link(place.href)
            prose.say(text.between(start, end))
            prose.end_link()
            at = end
        prose.say(text.between(at, text.count))
        prose.paragraph()
    finally:
        text_page.close()
        page.close()
    return True


class _LinkSpan(NamedTuple):
    """A link of a page: the indices of its first character and of the one after its last, and its target."""

    start: int
    end: int
    href: str


class _Characters:
    """The text of a page by PDFium's character numbers."""

    def __init__(self, page: pypdfium2.PdfTextPage) -> None:
        self._page = page
        self.count = max(page.count_chars(), 0)
        units = ctypes.create_string_buffer(2 * self.count + 2)
        written = pdfium.FPDFText_GetText(page, 0, self.count, ctypes.cast(units, ctypes.POINTER(ctypes.c_ushort)))
        self._units = units.raw[: 2 * max(written - 1, 0)]

    def between(self, start: int, end: int) -> str:
        """Return the text between two characters; words hyphenated at line ends are joined."""
        if start >= end:
            return ""
        cut = self._units[2 * self._unit(start) : 2 * self._unit(end)]
        text = cut.decode("utf-16-le", "ignore")
        return _HYPHEN.sub("", text).translate(_NOTHING)

    def _unit(self, index: int) -> int:
        """Return the position of a character in the text; PDFium may count fewer or more units for it."""
        if index >= self.count:
            return len(self._units) // 2
        found = int(pdfium.FPDFText_GetTextIndexFromCharIndex(self._page, index))
        return found if found >= 0 else index


def _links(page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage) -> list[_LinkSpan]:
    """Return the links written in the text, and link annotations over it, which replace them."""
    return [*_written_links(text_page), *_annotations(page, text_page)]


def _annotations(page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage) -> list[_LinkSpan]:
    found: list[_LinkSpan] = []
    position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    while len(found) < _LINKS_OF_PAGE and pdfium.FPDFLink_Enumerate(page, position, link):
        href = _uri(page, pdfium.FPDFLink_GetAction(link))
        box = pdfium.FS_RECTF()
        if href and pdfium.FPDFLink_GetAnnotRect(link, box):
            low, high = sorted((box.bottom, box.top))
            # An annotation over several lines is located by its first and last line.
            height = min(high - low, _LINE) / 2
            start = _character(text_page, box.left, high - height)
            end = _character(text_page, box.right, low + height)
            found.append(
                _LinkSpan(start, max(end + 1, start), href) if 0 <= start <= end else _LinkSpan(_END, _END, href)
            )
    return found


def _character(text_page: pypdfium2.PdfTextPage, x: float, y: float) -> int:
    """Return the number of the character at a point; negative if there is none."""
    return int(pdfium.FPDFText_GetCharIndexAtPos(text_page, x, y, _NEAR, _NEAR))


def _uri(page: pypdfium2.PdfPage, action: Any) -> str:
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    buffer = ctypes.create_string_buffer(_LONGEST_LINK)
    written = pdfium.FPDFAction_GetURIPath(page.pdf, action, buffer, _LONGEST_LINK)
    return buffer.value.decode("utf-8", "replace") if 0 < written <= _LONGEST_LINK else ""


def _written_links(text_page: pypdfium2.PdfTextPage) -> list[_LinkSpan]:
    links = pdfium.FPDFLink_LoadWebLinks(text_page)
    if not links:
        return []
    try:
        number = min(pdfium.FPDFLink_CountWebLinks(links), _LINKS_OF_PAGE)
        return [place for index in range(number) if (place := _written_link(links, index)) is not None]
    finally:
        pdfium.FPDFLink_CloseWebLinks(links)


def _written_link(links: Any, index: int) -> _LinkSpan | None:
    buffer = (ctypes.c_ushort * _LONGEST_LINK)()
    written = pdfium.FPDFLink_GetURL(links, index, buffer, _LONGEST_LINK)
    start, count = ctypes.c_int(0), ctypes.c_int(0)
    if written < 2 or not pdfium.FPDFLink_GetTextRange(links, index, start, count):
        return None
    href = bytes(buffer)[: 2 * (written - 1)].decode("utf-16-le", "replace")
    return _LinkSpan(start.value, start.value + count.value, href)


def language(document: pypdfium2.PdfDocument) -> str:
    """Return the language that a document declares, "" if it declares none."""
    buffer = (ctypes.c_ushort * _LONGEST_LANGUAGE)()
    written = pdfium.FPDFCatalog_GetLanguage(document, buffer, _LONGEST_LANGUAGE)
    if not 2 <= written <= _LONGEST_LANGUAGE:
        return ""
    # Some versions count characters, some bytes.
    return bytes(buffer).decode("utf-16-le", "replace").partition("\0")[0]

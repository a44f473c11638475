"""OpenDocument files (ODT, ODS, ODP): paragraphs, cells and slides in reading order, with their links."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from thresher.documents.formats.extract import Extract, statements
from thresher.documents.formats.format import Format
from thresher.documents.formats.limits import Limits, ReaderGaveUp
from thresher.documents.formats.office_package import properties
from thresher.documents.formats.prose import Enough, TextCollector
from thresher.documents.formats.xml_events import read_xml
from thresher.documents.formats.zipped import Zipped
from thresher.reasons import Reason

_SKIPPED: Final = frozenset(["tracked-changes", "annotation", "forms", "scripts", "font-face-decls", "styles", "notes"])
_PARAGRAPHS: Final = frozenset(["p", "h"])
_MANIFEST: Final = "META-INF/manifest.xml"
_MAX_SPACES: Final = 100


class _Content:
    """Collects the text of the body; names of sheets and slides are text too, and the first heading is remembered."""

    def __init__(self, prose: TextCollector, pages: int) -> None:
        self._prose = prose
        self._pages = pages
        self._depth = 0
        self._skipped = 0
        self._body = False
        self._sheets = False
        self._heading = False
        self.heading = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self._skipped or name in _SKIPPED:
            self._skipped += 1
        elif name == "body":
            self._body = True
        elif name in _PARAGRAPHS:
            self._depth += 1
            self._heading = name == "h" and not self.heading
        elif name == "a":
            self._prose.begin_link(attributes.get("href", ""), attributes.get("title", ""))
        elif name == "s":
            count = attributes.get("c", "1")
            self._prose.say(" " * min(int(count) if count.isdigit() else 1, _MAX_SPACES))
        elif name in ("tab", "line-break"):
            self._prose.say(" ")
        elif name == "spreadsheet":
            self._sheets = True
        elif name == "table" and self._sheets:
            self._page(attributes.get("name", ""))
        elif name == "page":
            self._page("")

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
        elif name in _PARAGRAPHS:
            self._depth -= 1
            self._prose.paragraph()
            self._heading = False
        elif name == "a":
            self._prose.end_link()

    def text(self, text: str) -> None:
        if self._body and self._depth and not self._skipped:
            self._prose.say(text)
            if self._heading:
                self.heading += text

    def _page(self, name: str) -> None:
        self._pages -= 1
        if self._pages < 0:
            raise Enough
        if name:
            self._prose.say(name)
            self._prose.paragraph()


def read_open_document(package: Zipped, url: str, limits: Limits) -> Extract:
    """Read an OpenDocument text, spreadsheet or presentation; raise Refusal if it is encrypted."""
    if _MANIFEST in package and b"encryption-data" in package.read(_MANIFEST):
        raise ReaderGaveUp(Reason.ENCRYPTED, "it needs a password")
    prose = TextCollector(limits.words, limits.links)
    content = _Content(prose, limits.pages)
    with suppress(Enough):
        read_xml(package.read("content.xml"), content)
    meta = properties(package, "meta.xml")
    about = statements(
        author=meta.get("initial-creator", "") or meta.get("creator", ""),
        created=meta.get("creation-date", ""),
        modified=meta.get("date", ""),
    )
    markup = prose.markup(url, meta.get("title", "") or content.heading, meta.get("language", ""))
    return Extract(markup, about)


_TYPE: Final = "application/vnd.oasis.opendocument"

ODT: Final = Format(name=f"{_TYPE}.text", endings=(".odt", ".ott"), package=read_open_document)
ODP: Final = Format(name=f"{_TYPE}.presentation", endings=(".odp", ".otp"), package=read_open_document)
ODS: Final = Format(
    name=f"{_TYPE}.spreadsheet", endings=(".ods", ".ots"), largest=10_000_000, package=read_open_document
)

"""Reads spreadsheets (XLSX): sheet names and cell texts, row by row, with hyperlinks.

Numbers are left out: dates are stored as day counts, and sums are not words.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from thresher.documents.formats.extract import Extract
from thresher.documents.formats.format import Format
from thresher.documents.formats.limits import Limits
from thresher.documents.formats.office_package import main_part, office_properties, relations_of
from thresher.documents.formats.prose import Enough, TextCollector
from thresher.documents.formats.xml_events import read_xml
from thresher.documents.formats.zipped import Zipped

_MAX_STRINGS: Final = 500_000
_MAX_PLACES: Final = 100_000


class _Strings:
    """Collects the strings that cells share by number, without phonetic readings."""

    def __init__(self, room: int) -> None:
        self.found: list[str] = []
        self._room = room
        self._runs: list[str] = []
        self._inside = False
        self._phonetic = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._inside = name == "t" and not self._phonetic
        self._phonetic = self._phonetic or name == "rPh"

    def end(self, name: str) -> None:
        self._inside = False
        if name == "rPh":
            self._phonetic = False
        elif name == "si" and len(self.found) < _MAX_STRINGS:
            self.found.append("".join(self._runs))
            self._runs = []

    def text(self, text: str) -> None:
        if self._inside and self._room > 0:
            self._room -= len(text)
            self._runs.append(text)


class _Book:
    """Collects the sheets in order: relationship id and name of each."""

    def __init__(self) -> None:
        self.sheets: list[tuple[str, str]] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "sheet" and attributes.get("state", "visible") == "visible":
            self.sheets.append((attributes.get("r:id", ""), attributes.get("name", "")))

    def end(self, name: str) -> None:
        pass

    def text(self, text: str) -> None:
        pass


class _Sheet:
    """Collects the texts of the cells; links come after all cells and refer back to theirs."""

    def __init__(self, prose: TextCollector, strings: list[str], links: Mapping[str, str]) -> None:
        self._prose = prose
        self._strings = strings
        self._links = links
        self._places: dict[str, int] = {}
        self._cell = self._kind = self._value = ""
        self._inside = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "c":
            self._cell, self._kind, self._value = attributes.get("r", ""), attributes.get("t", ""), ""
        elif name in ("v", "t"):
            self._inside = True
        elif name == "hyperlink":
            place = self._places.get(attributes.get("ref", "").partition(":")[0], -1)
            target = self._links.get(attributes.get("r:id", ""), "")
            if target:
                self._prose.link_at(target, place, attributes.get("display", ""))

    def end(self, name: str) -> None:
        if name in ("v", "t"):
            self._inside = False
        elif name == "c":
            self._say()
        elif name == "row":
            self._prose.paragraph()

    def text(self, text: str) -> None:
        if self._inside:
            self._value += text

    def _say(self) -> None:
        value = self._value
        if self._kind == "s":
            number = int(value) if value.isdigit() and len(value) < 9 else -1
            value = self._strings[number] if 0 <= number < len(self._strings) else ""
        elif self._kind not in ("str", "inlineStr"):
            value = ""
        if value.strip():
            place = self._prose.place()
            self._prose.say(f" {value} ")
            self._prose.place()
            if len(self._places) < _MAX_PLACES:
                self._places[self._cell] = place


def read_sheets(package: Zipped, url: str, limits: Limits) -> Extract:
    """Read a workbook, at most `limits.pages` sheets; the name of the first replaces a missing title."""
    main = main_part(package, "xl/workbook.xml")
    relations = relations_of(package, main)
    book = _Book()
    read_xml(package.read(main), book)
    prose = TextCollector(limits.words, limits.links)
    # The document is what was read so far.
    with suppress(Enough):
        strings = _shared(package, relations.kinds, relations.parts, limits)
        for id_, name in book.sheets[: limits.pages]:
            prose.say(name)
            prose.paragraph()
            part = relations.parts.get(id_, "")
            if part in package:
                read_xml(package.read(part), _Sheet(prose, strings, relations_of(package, part).links))
    title, language, about = office_properties(package)
    return Extract(prose.markup(url, title or next((name for _, name in book.sheets), ""), language), about)


def _shared(package: Zipped, kinds: Mapping[str, str], parts: Mapping[str, str], limits: Limits) -> list[str]:
    listener = _Strings(limits.unpacked)
    part = next((parts[id_] for id_, kind in kinds.items() if kind == "sharedStrings"), "")
    if part in package:
        read_xml(package.read(part), listener)
    return listener.found


XLSX: Final = Format(
    name="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    endings=(".xlsx",),
    largest=10_000_000,
    holds=("[Content_Types].xml", "xl/"),
    package=read_sheets,
)

"""Reads Word files (DOCX): body, footnotes and endnotes, with both kinds of hyperlinks."""

import re
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

_NOTES: Final = ("footnotes", "endnotes")
# Deleted text, fallbacks for what cannot be shown, and field instructions.
_SKIPPED: Final = frozenset(["Fallback", "del", "moveFrom", "delText"])
_FIELD: Final = re.compile(r'\s*HYPERLINK\s+"([^"]+)"', re.IGNORECASE)
_MAX_INSTRUCTION: Final = 4096


class _Body:
    """Collects the text of a part, run by run.

    A hyperlink is an element that names a relationship, or a field: `fldChar begin`, its instruction, `separate`, the
    visible text, `end`. Fields nest; only the instruction of the innermost counts.
    """

    def __init__(self, prose: TextCollector, links: Mapping[str, str]) -> None:
        self._prose = prose
        self._links = links
        self._skipped = 0
        self._inside = ""
        self._instruction = ""
        self.heading = ""
        self._heading = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self._skipped or name in _SKIPPED:
            self._skipped += 1
        elif name in ("t", "instrText"):
            self._inside = name
        elif name == "hyperlink":
            self._prose.begin_link(self._links.get(attributes.get("r:id", ""), ""), attributes.get("tooltip", ""))
        elif name in ("tab", "br", "cr", "noBreakHyphen"):
            self._prose.say("-" if name == "noBreakHyphen" else " ")
        elif name == "fldChar":
            self._field(attributes.get("fldCharType", ""))
        elif name == "fldSimple":
            self._follow(attributes.get("instr", ""))
        elif name == "pStyle":
            self._heading = not self.heading and attributes.get("val", "").lower() in ("title", "heading1")

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
        elif name == "p":
            self._prose.paragraph()
            self._heading = False
        elif name in ("hyperlink", "fldSimple"):
            self._prose.end_link()
        elif name == "tc":
            self._prose.say(" ")
        elif name == self._inside:
            self._inside = ""

    def text(self, text: str) -> None:
        if self._skipped or not self._inside:
            return
        if self._inside == "t":
            self._prose.say(text)
            if self._heading:
                self.heading += text
        elif len(self._instruction) < _MAX_INSTRUCTION:
            self._instruction += text

    def _field(self, step: str) -> None:
        if step == "begin":
            self._instruction = ""
        elif step == "separate":
            self._follow(self._instruction)
        elif step == "end":
            self._prose.end_link()

    def _follow(self, instruction: str) -> None:
        found = _FIELD.match(instruction)
        if found is not None:
            self._prose.begin_link(found[1])


def read_word(package: Zipped, url: str, limits: Limits) -> Extract:
    """Read a Word file; its first heading replaces a missing title."""
    main = main_part(package, "word/document.xml")
    relations = relations_of(package, main)
    prose = TextCollector(limits.words, limits.links)
    body = _Body(prose, relations.links)
    # The document is what was read so far.
    with suppress(Enough):
        read_xml(package.read(main), body)
        for id_, kind in relations.kinds.items():
            if kind in _NOTES and relations.parts[id_] in package:
                part = relations.parts[id_]
                read_xml(package.read(part), _Body(prose, relations_of(package, part).links))
    title, language, about = office_properties(package)
    return Extract(prose.markup(url, title or body.heading, language), about)


DOCX: Final = Format(
    name="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    endings=(".docx",),
    holds=("[Content_Types].xml", "word/"),
    package=read_word,
)

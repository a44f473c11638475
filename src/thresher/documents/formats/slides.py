"""Reads presentations (PPTX): the slides in display order, with hyperlinks."""

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


class _Order:
    """Collects the relationship ids of the slides in display order."""

    def __init__(self) -> None:
        self.ids: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "sldId":
            self.ids.append(attributes.get("r:id", ""))

    def end(self, name: str) -> None:
        pass

    def text(self, text: str) -> None:
        pass


class _Slide:
    """Collects the text of a slide; the text of its title shape is remembered."""

    def __init__(self, prose: TextCollector, links: Mapping[str, str]) -> None:
        self._prose = prose
        self._links = links
        self._inside = False
        self._skipped = 0
        self._is_title = False
        self.title = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self._skipped or name == "Fallback":
            self._skipped += 1
        elif name == "t":
            self._inside = True
        elif name == "hlinkClick":
            self._prose.begin_link(self._links.get(attributes.get("r:id", ""), ""), attributes.get("tooltip", ""))
        elif name == "br":
            self._prose.say(" ")
        elif name == "sp":
            self._is_title = False
        elif name == "ph":
            self._is_title = attributes.get("type") in ("title", "ctrTitle")

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
        elif name == "t":
            self._inside = False
        elif name == "r":
            self._prose.end_link()
        elif name == "p":
            self._prose.paragraph()
            self.title += " " if self._is_title else ""

    def text(self, text: str) -> None:
        if self._inside and not self._skipped:
            self._prose.say(text)
            if self._is_title:
                self.title += text


def read_slides(package: Zipped, url: str, limits: Limits) -> Extract:
    """Read a presentation, at most `limits.pages` slides; the title of the first slide replaces a missing one."""
    main = main_part(package, "ppt/presentation.xml")
    relations = relations_of(package, main)
    order = _Order()
    read_xml(package.read(main), order)
    prose = TextCollector(limits.words, limits.links)
    heading = ""
    # The document is what was read so far.
    with suppress(Enough):
        for part in [relations.parts[id_] for id_ in order.ids if id_ in relations.parts][: limits.pages]:
            if part in package:
                slide = _Slide(prose, relations_of(package, part).links)
                read_xml(package.read(part), slide)
                heading = heading or slide.title.strip()
    title, language, about = office_properties(package)
    return Extract(prose.markup(url, title or heading, language), about)


PPTX: Final = Format(
    name="application/vnd.openxmlformats-officedocument.presentationml.presentation",
    endings=(".pptx",),
    holds=("[Content_Types].xml", "ppt/"),
    package=read_slides,
)

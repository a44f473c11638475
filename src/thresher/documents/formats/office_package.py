"""The parts of an Office file (ECMA-376): their relationships, link targets and metadata."""

import posixpath
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote

from msgspec import Struct

from thresher.documents.formats.extract import statements
from thresher.documents.formats.limits import ReaderGaveUp
from thresher.documents.formats.xml_events import read_xml
from thresher.documents.formats.zipped import Zipped

_CORE: Final = "docProps/core.xml"


class Relations(Struct, frozen=True):
    """The relationships of a part by id: `parts` of the same file with their `kinds`, and external `links`."""

    parts: dict[str, str]
    links: dict[str, str]
    kinds: dict[str, str]


class _RelationsListener:
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.found = Relations({}, {}, {})

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name != "Relationship":
            return
        id_, target = attributes.get("Id", ""), attributes.get("Target", "")
        if attributes.get("TargetMode") == "External":
            self.found.links[id_] = target
        else:
            path = unquote(target).partition("#")[0]
            self.found.parts[id_] = posixpath.normpath(posixpath.join("/", self._folder, path)).lstrip("/")
            self.found.kinds[id_] = attributes.get("Type", "").rpartition("/")[2]

    def end(self, name: str) -> None:
        pass

    def text(self, text: str) -> None:
        pass


def relations_of(package: Zipped, part: str) -> Relations:
    """Return the relationships of a part; empty if it has none.

    The root of all relationships is the part "".
    """
    folder, name = posixpath.split(part)
    path = posixpath.join(folder, "_rels", f"{name}.rels")
    listener = _RelationsListener(folder)
    if path in package:
        read_xml(package.read(path), listener)
    return listener.found


def main_part(package: Zipped, usual: str) -> str:
    """Return the part in which the text begins: the one the file names, or the usual one."""
    root = relations_of(package, "")
    named = next((root.parts[id_] for id_, kind in root.kinds.items() if kind == "officeDocument"), usual)
    return named if named in package else usual


class _Properties:
    """Collects the texts of the elements directly below the root of a small document."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self._name = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._name = name

    def end(self, name: str) -> None:
        self._name = ""

    def text(self, text: str) -> None:
        if self._name and len(self.found.get(self._name, "")) < 1000:
            self.found[self._name] = self.found.get(self._name, "") + text


def properties(package: Zipped, path: str) -> dict[str, str]:
    """Return the properties in a small XML part by element name; empty if it cannot be read."""
    listener = _Properties()
    if path in package:
        try:
            read_xml(package.read(path), listener)
        except ReaderGaveUp:
            # The text matters more than the metadata.
            return {}
    return listener.found


def office_properties(package: Zipped) -> tuple[str, str, dict[str, str]]:
    """Return the title, language and metadata of an Office file."""
    core = properties(package, _CORE)
    about = statements(
        author=core.get("creator", ""), created=core.get("created", ""), modified=core.get("modified", "")
    )
    return core.get("title", ""), core.get("language", ""), about

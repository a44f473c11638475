"""EPUB books: the chapters in spine order, read as HTML, and the metadata of the package."""

import posixpath
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote

from msgspec.structs import replace

from thresher.documents.encodings import decode
from thresher.documents.formats.extract import Extract, statements
from thresher.documents.formats.format import Format
from thresher.documents.formats.limits import Limits, ReaderGaveUp
from thresher.documents.formats.office_package import properties
from thresher.documents.formats.xml_events import read_xml
from thresher.documents.formats.zipped import Zipped
from thresher.documents.html import Markup, read_html
from thresher.documents.nesting import cut_tags, is_too_deep
from thresher.documents.titles import tidy_title
from thresher.reasons import Reason
from thresher.types import Link

_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_CHAPTERS: Final = frozenset(["application/xhtml+xml", "text/html", "application/html"])
_INSIDE: Final = "http://book.invalid/"
"""Base address of the book while references are resolved: links to it are internal links of the book."""


class _Package:
    """Collects the path of the package file, or the manifest and spine of one."""

    def __init__(self) -> None:
        self.path = ""
        self.items: dict[str, str] = {}
        self.spine: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "rootfile":
            self.path = self.path or attributes.get("full-path", "")
        elif name == "item" and attributes.get("media-type", "").lower() in _CHAPTERS:
            self.items[attributes.get("id", "")] = attributes.get("href", "")
        elif name == "itemref":
            self.spine.append(attributes.get("idref", ""))

    def end(self, name: str) -> None:
        pass

    def text(self, text: str) -> None:
        pass


def read_epub(package: Zipped, _: str, limits: Limits) -> Extract:
    """Read a book, at most `limits.pages` chapters; raise Refusal if its chapters are encrypted."""
    container, opf = _Package(), _Package()
    read_xml(package.read(_CONTAINER), container)
    read_xml(package.read(container.path), opf)
    folder = posixpath.dirname(container.path)
    chapters = [_path(folder, opf.items[id_]) for id_ in opf.spine if id_ in opf.items][: limits.pages]
    if _ENCRYPTION in package:
        # Many books only obfuscate their fonts.
        locked = package.read(_ENCRYPTION)
        if any(chapter.encode() in locked for chapter in chapters):
            raise ReaderGaveUp(Reason.ENCRYPTED, "its chapters are protected")
    said = properties(package, container.path)
    about = statements(author=said.get("creator", ""), created=said.get("date", ""))
    book = _bound(package, chapters, limits)
    title = tidy_title(said.get("title", "")) or book.title
    return Extract(replace(book, title=title, language=said.get("language", "").lower()[:35] or book.language), about)


def _bound(package: Zipped, chapters: list[str], limits: Limits) -> Markup:
    """Return all chapters as one text."""
    words: list[str] = []
    links: list[Link] = []
    texts: list[str] = []
    title = language = ""
    for chapter in chapters:
        room = limits.words - len(words)
        if chapter not in package or room <= 0:
            continue
        text = cut_tags(decode(package.read(chapter), "application/xhtml+xml")[0])
        if is_too_deep(text):
            continue
        page = read_html(text, _INSIDE + chapter, room, max(0, limits.links - len(links)))
        title, language = title or page.title, language or page.language
        links += [_moved(link, len(words)) for link in page.links if not link.url.startswith(_INSIDE)]
        words += page.words
        texts.append(page.text)
    return Markup(title, words, links, (), language, "\n".join(texts))


def _moved(link: Link, by: int) -> Link:
    """Return a link of a chapter with its positions in the book."""
    spans = tuple((start + by, end + by) for start, end in link.spans)
    return replace(link, position=link.position + by, spans=spans)


def _path(folder: str, href: str) -> str:
    return posixpath.normpath(posixpath.join("/", folder, unquote(href).partition("#")[0])).lstrip("/")


EPUB: Final = Format(name="application/epub+zip", endings=(".epub",), holds=(_CONTAINER,), package=read_epub)

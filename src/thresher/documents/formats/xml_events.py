"""Reads XML as events, without a tree: no document types, no entities, nothing fetched, limited depth.

Document types are refused: no Office file needs one, and every entity bomb does.
"""

from collections.abc import Mapping
from typing import Final, Protocol
from xml.parsers import expat

from thresher.documents.formats.limits import ReaderGaveUp
from thresher.reasons import Reason

MAX_DEPTH: Final = 512
"""Maximum nesting of elements."""

_BLOCK: Final = 1 << 16
_SEPARATOR: Final = "\x1f"


class Listener(Protocol):
    """Receives the events of a document; names have no prefix, except `r:` for Office relationships."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Handle the start of an element."""

    def end(self, name: str) -> None:
        """Handle the end of an element."""

    def text(self, text: str) -> None:
        """Handle text between tags; long texts arrive in several parts."""


def read_xml(data: bytes, listener: Listener) -> None:
    """Send the events of a document to a listener; raise Refusal if it is broken, too deep or has a document type.

    >>> class Names:
    ...     def start(self, name, attributes): print(name, dict(attributes))
    ...     def end(self, name): pass
    ...     def text(self, text): pass
    >>> read_xml(b'<w:p xmlns:w="urn:w" w:id="1"/>', Names())
    p {'id': '1'}
    """
    _Reading(listener).feed(data)


class _Reading:
    """One document, and the current depth in it."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._depth = 0
        self._parser = expat.ParserCreate(namespace_separator=_SEPARATOR)
        self._parser.buffer_text = True
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._parser.StartDoctypeDeclHandler = self._document_type
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = listener.text

    def feed(self, data: bytes) -> None:
        """Read a whole document."""
        try:
            for start in range(0, len(data), _BLOCK):
                self._parser.Parse(data[start : start + _BLOCK], False)
            self._parser.Parse(b"", True)
        except (expat.ExpatError, UnicodeError, ValueError) as error:
            raise ReaderGaveUp(Reason.UNREADABLE, f"its XML is broken: {error}"[:200]) from None

    def _document_type(self, *_: object) -> None:
        raise ReaderGaveUp(Reason.UNREADABLE, "its XML has a document type, which could contain endless entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ReaderGaveUp(Reason.NESTED_TOO_DEEP, "its XML is nested too deeply")
        self._listener.start(_local(name), {_attribute(key): value for key, value in attributes.items()})

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._listener.end(_local(name))


def _local(name: str) -> str:
    return name.rpartition(_SEPARATOR)[2]


def _attribute(name: str) -> str:
    space, _, local = name.rpartition(_SEPARATOR)
    # The numbers of slides and the relationships that lead to them are both called `id`.
    return f"r:{local}" if space.endswith("/relationships") else local

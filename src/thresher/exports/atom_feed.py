"""A list of pages as an Atom feed (RFC 4287)."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape, quoteattr

from thresher.store.page_records import AcceptedPage

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def atom_lines(pages: Iterable[AcceptedPage], title: str, at: float, address: str = "") -> Iterator[str]:
    """Yield the lines of a feed; `at` is its creation time and `address` its URL, if known."""
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield '<feed xmlns="http://www.w3.org/2005/Atom">\n'
    yield f"<id>{_identity(address or f'thresher:{title}')}</id>\n"
    yield f"<title>{_text(title)}</title>\n"
    yield f"<updated>{_date(at)}</updated>\n"
    yield "<author><name>Thresher</name></author>\n"
    if address:
        yield f'<link rel="self" href={_attribute(address)}/>\n'
    for page in pages:
        yield from _entry(page)
    yield "</feed>\n"


def _entry(page: AcceptedPage) -> Iterator[str]:
    yield "<entry>\n"
    yield f"<id>{_identity(page.url)}</id>\n"
    yield f"<title>{_text(page.title or page.url)}</title>\n"
    yield f"<link href={_attribute(page.url)}/>\n"
    yield f"<updated>{_date(page.found)}</updated>\n"
    yield f"<category term={_attribute(page.topic)}/>\n"
    yield "</entry>\n"


def _identity(name: str) -> str:
    """Return an identifier that depends only on the name."""
    return uuid5(NAMESPACE_URL, name.encode("utf-8", "replace").decode()).urn


def _date(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text))


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", text))

"""Stored copies made harmless: the archived page without scripts, forms or anything that loads other content."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from thresher.documents.encodings import decode
from thresher.errors import PortalError
from thresher.store.archive.archive_files import ARCHIVE, RecordPosition
from thresher.store.archive.stored import read_record
from thresher.store.page_records import DocumentRow, VisitRow

MAX_COPY: Final = 5_000_000
"""Size limit in bytes for copies that are shown."""

_HTML: Final = ("text/html", "application/xhtml+xml")
_REMOVED: Final = (
    "script, noscript, iframe, frame, frameset, object, embed, applet, link, meta, base, form, input, button, select, "
    "textarea, audio, video, source, track, portal, template, svg, math, xmp, noembed, plaintext"
)
_ADDRESSES: Final = (
    "src",
    "srcset",
    "background",
    "poster",
    "ping",
    "action",
    "formaction",
    "data",
    "manifest",
    "lowsrc",
)
_QUIET: Final = ("noarchive", "none")


class SafeCopy(Struct, frozen=True):
    """A stored copy as harmless HTML or plain text; `at` is when it was fetched."""

    html: str
    text: str
    at: float


def may_be_shown(document: DocumentRow) -> bool:
    """Return whether a page allows its copy to be shown."""
    return not set(_QUIET) & set(document.robots)


def stored_copy(portal: Path, document: DocumentRow, visits: Sequence[VisitRow], number: int | None) -> SafeCopy | None:
    """Return the copy from a visit, by default from the last successful one; None if no copy is stored.

    For files other than web pages, and if the response is missing from the archive, the extracted text is shown.
    """
    kept = [place for place, visit in enumerate(visits) if visit.archive and visit.outcome == "fetched"]
    if number is not None and number not in kept:
        return None
    newest = number is None or number == max(kept, default=None)
    if kept:
        visit = visits[number if number is not None else kept[-1]]
        found = _archived(portal, visit)
        if found:
            return SafeCopy(found, "", visit.at)
    return SafeCopy("", document.text, document.at) if newest and document.text else None


def _archived(portal: Path, visit: VisitRow) -> str:
    """Return the archived page of a visit as harmless HTML, or "" if it is not HTML or cannot be read."""
    try:
        record = read_record(portal / ARCHIVE, RecordPosition(visit.archive, visit.offset))
    except PortalError:
        return ""
    body = record.body(MAX_COPY)
    if not isinstance(body, bytes) or (record.mime or visit.mime) not in _HTML:
        return ""
    text, _ = decode(body, record.header("content-type"))
    return harmless(text)


def harmless(html: str) -> str:
    """Return a page without scripts, frames, forms and anything else that runs or sends requests.

    The response headers tell the browser the same; either measure alone would suffice.

    >>> harmless('<p onclick="x()">Tea<script>x()</script><img src="http://a.test/">')
    '<html><head></head><body><p>Tea<img></p></body></html>'
    """
    tree = LexborHTMLParser(html)
    for node in tree.css(_REMOVED):
        node.decompose()
    for node in tree.css("*"):
        for name, value in list(node.attributes.items()):
            if _is_active(name, value or ""):
                del node.attrs[name]
    return tree.html or ""


def _is_active(name: str, value: str) -> bool:
    lowered = name.lower()
    if lowered.startswith("on") or lowered in _ADDRESSES:
        return not (lowered == "src" and value.lower().startswith("data:image/"))
    if lowered in ("href", "xlink:href"):
        return not value.strip().lower().startswith(("http:", "https:", "#"))
    return lowered == "style" and "url(" in value.lower()

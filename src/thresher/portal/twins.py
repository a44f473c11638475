"""Lists in other formats, for programs, feed readers, browsers and reference managers."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

import msgspec
from starlette.responses import Response

from thresher.exports.atom_feed import atom_lines
from thresher.exports.bookmark_file import bookmark_lines
from thresher.exports.csv_table import csv_lines
from thresher.exports.page_objects import page_object
from thresher.portal.citing import Citation, bibtex, ris
from thresher.portal.doors import Refused
from thresher.portal.ids import page_name
from thresher.portal.view import RequestContext
from thresher.store.page_records import AcceptedPage
from thresher.store.portal_records import ListedPage

TYPES: Final = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "atom": "application/atom+xml",
    "html": "text/html; charset=utf-8",
    "ris": "application/x-research-info-systems; charset=utf-8",
    "bib": "application/x-bibtex; charset=utf-8",
}
"""The formats by the suffix of their addresses."""

_DOWNLOADED: Final = frozenset({"csv", "html", "ris", "bib"})


def split_twin(path: str) -> tuple[str, str]:
    """Return a path without the suffix of a format, and the format, or "" if there is none.

    >>> split_twin("Tea/Green.csv"), split_twin("Tea/Green")
    (('Tea/Green', 'csv'), ('Tea/Green', ''))
    """
    stem, _, ending = path.rpartition(".")
    return (stem, ending) if stem and ending in TYPES else (path, "")


def twin(view: RequestContext, kind: str, pages: Sequence[ListedPage], title: str, more: dict[str, Any]) -> Response:
    """Return the entries of a list as data; `more` holds further fields for JSON."""
    rows = [accepted(page) for page in pages]
    if kind not in TYPES:
        raise Refused(404, "error.missing", "error.missing_then")
    if kind == "json":
        return data(kind, msgspec.json.encode({"pages": [page_object(row) for row in rows], **more}), title)
    if kind == "csv":
        return data(kind, "".join(csv_lines(rows)), title)
    if kind == "html":
        return data(kind, "".join(bookmark_lines(rows)), title)
    if kind == "atom":
        at = max((page.found for page in pages), default=view.library.clock())
        return data(kind, "".join(atom_lines(rows, title, at, str(view.request.url))), title)
    listed = [reference(page) for page in pages]
    return data(kind, bibtex(listed) if kind == "bib" else ris(listed), title)


def data(kind: str, body: str | bytes, title: str) -> Response:
    """Return data in a format; formats that browsers should not display are sent as a download."""
    content = body if isinstance(body, bytes) else body.encode("utf-8", "replace")
    headers = {"content-disposition": attachment(title, kind)} if kind in _DOWNLOADED else {}
    return Response(content, media_type=TYPES[kind], headers=headers)


def attachment(title: str, ending: str) -> str:
    """Return the header that names a downloaded file; no title can end the header or name a folder.

    >>> attachment('Tea/"x"; filename=evil.exe', "csv")
    "attachment; filename*=UTF-8''Tea-x-filename-evil-exe.csv"
    """
    plain = "".join(letter if letter.isalnum() else "-" for letter in unicodedata.normalize("NFKC", title))
    name = re.sub("-+", "-", plain).strip("-")[:80] or "list"
    return f"attachment; filename*=UTF-8''{quote(name.encode('utf-8', 'replace'))}.{ending}"


def accepted(page: ListedPage) -> AcceptedPage:
    """Return a listed page in the form that the exports of the command line take."""
    return AcceptedPage(
        url_id=page.id,
        url=page.url,
        title=page.title,
        topic=page.topic,
        confidence=page.confidence,
        probability=page.probability,
        found=page.found,
    )


def reference(page: ListedPage) -> Citation:
    """Return a listed page as a reference."""
    return Citation(
        name=page_name(page.id), title=page.title or page.url, url=page.url, site=page.host, seen=page.changed
    )

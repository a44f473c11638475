"""Short ways to make rows for the tests of the store."""

from typing import Any

from thresher.store.page_records import DocumentRow, LinkRow, VisitRow
from thresher.store.url_records import UrlRow
from thresher.types import Candidate
from thresher.web.urls import host_of, url_id

URL = "http://a.test/1"
OTHER = "http://a.test/2"
THIRD = "http://b.test/"


def url_row(url: str = URL, *, order: int = 0, **more: Any) -> UrlRow:
    """Return a row of `urls`; what belongs to the candidate goes there."""
    of_candidate = {name: more.pop(name) for name in list(more) if name in Candidate.__struct_fields__}
    candidate = Candidate(url=url, **{"priority": (0.5,), **of_candidate})
    return UrlRow(
        id=more.pop("id", url_id(url)), host=more.pop("host", host_of(url)), candidate=candidate, order=order, **more
    )


def visit(url: str = URL, *, at: float = 5.0, outcome: str = "fetched", **more: Any) -> VisitRow:
    return VisitRow(url_id=url_id(url), url=url, at=at, outcome=outcome, **more)


def link(url: str, anchor: str = "", rel: str = "", tag: str = "a") -> LinkRow:
    return LinkRow(url_id(url), url, anchor, rel, tag)


def document(url: str = URL, **more: Any) -> DocumentRow:
    fields = {"at": 5.0, "title": "A title", "text": "Words of the page.", "terms": {"word": 1, "page": 2}, "links": []}
    return DocumentRow(url_id=url_id(url), url=url, host=host_of(url), **{**fields, **more})

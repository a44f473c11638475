"""A document: its text, why it is here, how it was found, its stored copy and its reference."""

from typing import Annotated

from fastapi import Query
from starlette.responses import HTMLResponse, Response

from thresher.portal.citing import bibtex, ris
from thresher.portal.copies import may_be_shown, stored_copy
from thresher.portal.doors import Doors, Refused
from thresher.portal.ids import page_id
from thresher.portal.security import COPY_POLICY
from thresher.portal.story import evidence, links_from, links_here, reference_of, versions, way
from thresher.portal.twins import data
from thresher.portal.view import RequestContext, Seen
from thresher.store.page_records import DocumentRow, DuplicateKind
from thresher.text.words import words

doors = Doors()

_SAME_TEXT = 5
_VERSIONS = 10
_SIMILAR = 4


@doors.page("/d/{name}.{kind}")
def reference(view: Seen, name: str, kind: str) -> Response:
    """Return a document as a reference in BibTeX or RIS."""
    found = _document(view, name)
    if kind not in ("bib", "ris"):
        raise Refused(404, "error.missing", "error.missing_then")
    cited = [reference_of(found)]
    return data(kind, bibtex(cited) if kind == "bib" else ris(cited), found.title or found.url)


@doors.page("/d/{name}")
def document(view: Seen, name: str) -> Response:
    """Show a document."""
    found = _document(view, name)
    library = view.library
    judged = found.judgement
    node = view.node(judged.topic) if judged else None
    visits = library.store.documents.visits(found.url_id)
    same = [url for id_, url in library.store.duplicates.same_text(found.digest) if id_ != found.url_id]
    return view.page(
        "document.html",
        name=name,
        page=found,
        quoted="nosnippet" not in found.robots,
        judged=judged,
        node=node,
        line=library.overview().line(node.path) if node else [],
        why=evidence(judged) if judged and judged.evidence else None,
        way=way(library, found),
        numbers=library.store.catalogue.links([found.url_id])[found.url_id],
        links=len({link.target for link in found.links} - {found.url_id}),
        here=links_here(library, found),
        leads=links_from(library, found),
        versions=versions(visits)[:_VERSIONS],
        words=len(words(found.text)),
        same=same[:_SAME_TEXT],
        near=[row for row in library.store.duplicates.of(found.url_id) if row.kind is DuplicateKind.NEAR],
        has_copy=may_be_shown(found),
        cited=reference_of(found),
        authors=[found.about["author"]] if found.about.get("author") else [],
    )


@doors.page("/d/{name}/similar")
def similar(view: Seen, name: str) -> Response:
    """Show the pages most similar to a document as a page fragment, loaded separately because it is slow."""
    found = _document(view, name)
    return view.page("similar.html", similar=view.library.similar(found.url, _SIMILAR), page=found)


@doors.page("/d/{name}/copy")
def copy(view: Seen, name: str, version: Annotated[int | None, Query(ge=0, lt=1 << 62)] = None) -> Response:
    """Show the stored copy of a document in a sandboxed frame."""
    found = _document(view, name)
    visits = view.library.store.documents.visits(found.url_id)
    kept = stored_copy(view.library.portal, found, visits, version) if may_be_shown(found) else None
    return view.page("copy.html", 200 if kept else 404, name=name, page=found, copy=kept, version=version)


@doors.page("/d/{name}/copy/raw")
def raw_copy(view: Seen, name: str, version: Annotated[int | None, Query(ge=0, lt=1 << 62)] = None) -> Response:
    """Return the stored copy itself: harmless HTML under a policy that forbids scripts and requests."""
    found = _document(view, name)
    visits = view.library.store.documents.visits(found.url_id)
    kept = stored_copy(view.library.portal, found, visits, version) if may_be_shown(found) else None
    if kept is None:
        raise Refused(404, "error.copy", "error.copy_then")
    headers = {
        "content-security-policy": COPY_POLICY,
        "x-frame-options": "SAMEORIGIN",
        "x-dns-prefetch-control": "off",
    }
    if kept.html:
        return HTMLResponse(kept.html.encode("utf-8", "replace"), headers=headers)
    return Response(kept.text.encode("utf-8", "replace"), media_type="text/plain; charset=utf-8", headers=headers)


def _document(view: RequestContext, name: str) -> DocumentRow:
    id_ = page_id(name)
    found = view.library.store.documents.document(id_) if id_ is not None else None
    if found is None or "noindex" in found.robots:
        raise Refused(404, "error.document", "error.document_then")
    return found

"""Removing a page or site with everything only it brought in: a preview, then the removal, with undo."""

from typing import Annotated
from urllib.parse import urlencode

import msgspec
from fastapi import Form, Query
from msgspec import Struct
from starlette.responses import Response

from thresher.organise.removing import Removal, plan_removal, removal_rows
from thresher.portal.changes import noted
from thresher.portal.doors import Doors, Refused
from thresher.portal.form_tokens import local_path
from thresher.portal.ids import page_id, page_name
from thresher.portal.view import RequestContext, Seen
from thresher.runs.asking import SEEDS
from thresher.store.crawl_history import all_crawls
from thresher.store.portal_records import Role

doors = Doors()

_SHOWN = 30

Named = Annotated[str, Query(max_length=40)]
Host = Annotated[str, Query(max_length=300)]
Back = Annotated[str, Query(max_length=2000)]


class RemovalRequest(Struct, frozen=True):
    """What to remove: one page or all pages of a host, a name for it, and the page ids."""

    page: str
    site: str
    called: str
    pages: list[int]


@doors.page("/remove", needs=Role.REVIEWER)
def preview_removal(view: Seen, page: Named = "", site: Host = "", back: Back = "") -> Response:
    """Show what would be removed with a page or site."""
    asked = _asked(view, page, site)
    plan = _plan(view, asked)
    ids = [*plan.pages, *plan.brought]
    heads = view.library.store.search_feed.heads(ids[:_SHOWN])
    judged = {id_: view.library.store.documents.judgement(id_) for id_ in heads}
    shown = [
        (page_name(id_), heads[id_].title or heads[id_].url, found.topic if (found := judged[id_]) else None)
        for id_ in ids
        if id_ in heads and "noindex" not in heads[id_].robots
    ]
    return view.page(
        "remove.html", asked=asked, plan=plan, total=len(ids), shown=shown, back=local_path(back) if back else "/crawl"
    )


@doors.form("/remove", needs=Role.REVIEWER)
def remove(
    view: Seen,
    page: Annotated[str, Form(max_length=40)] = "",
    site: Annotated[str, Form(max_length=300)] = "",
    alone: Annotated[bool, Form()] = False,
    back: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    """Remove a page or site, `alone` or with everything only it brought in."""
    library = view.library
    asked = _asked(view, page, site)
    plan = Removal(asked.pages, [], 0, 0) if alone else _plan(view, asked)
    rows = removal_rows(library.store, plan, library.clock(), view.user.id if view.user else None)
    numbers = library.store.decisions.add_all(rows)
    number = noted(view, "remove", asked.called, [], numbers)
    library.forget()
    query = {"number": number, **({"back": back} if back else {})}
    return view.go("/removed?" + urlencode(query))


@doors.page("/removed", needs=Role.REVIEWER)
def removed(view: Seen, number: Annotated[int, Query(ge=0, lt=1 << 62)] = 0, back: Back = "") -> Response:
    """Show a completed removal, with its undo."""
    deed = view.library.store.deeds.get(number)
    if deed is None or deed.kind != "remove":
        raise Refused(404, "error.missing", "error.missing_then")
    return view.page(
        "removed.html",
        deed=deed,
        total=len(msgspec.json.decode(deed.after)),
        back=local_path(back) if back else "/crawl",
    )


def _asked(view: RequestContext, page: str, site: str) -> RemovalRequest:
    """Return what to remove; raises Refused if the portal does not have it."""
    if site:
        if not view.library.overview().branches(site):
            raise Refused(404, "error.site", "error.site_then")
        ids = [page.id for block in view.library.store.graph.pages() for page in block if page.host == site]
        return RemovalRequest("", site, site, ids)
    id_ = page_id(page)
    found = view.library.store.documents.document(id_) if id_ is not None else None
    if found is None or "noindex" in found.robots:
        raise Refused(404, "error.document", "error.document_then")
    return RemovalRequest(page, "", found.title or found.url, [found.url_id])


def _plan(view: RequestContext, asked: RemovalRequest) -> Removal:
    library = view.library
    starts: list[str] = [*library.store.start_urls.urls(), *(url for url, _ in library.topics().start_urls())]
    for crawl in all_crawls(library.store):
        starts += crawl.settings.get(SEEDS, [])
    return plan_removal(library.store, asked.pages, starts)

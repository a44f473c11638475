"""Lists: the pages of a topic, of a site, and what is new."""

from datetime import UTC, datetime
from itertools import groupby
from typing import Annotated

from fastapi import Query
from starlette.responses import RedirectResponse, Response

from thresher.portal.doors import Doors, Refused
from thresher.portal.ids import topic_address
from thresher.portal.twins import split_twin, twin
from thresher.portal.view import RequestContext, Seen
from thresher.store.portal_records import ListedPage, ListOrder, PageSelection
from thresher.taxonomy.topic_tree import parsed, written

doors = Doors()

PageNumber = Annotated[int, Query(ge=1, le=100_000)]
_WORDS = 8
_SITES = 8


@doors.page("/t/{path:path}")
def topic(
    view: Seen, path: str, order: ListOrder = ListOrder.BEST, page: PageNumber = 1, only: bool = False
) -> Response:
    """Show a topic: its pages in one of four orders, subtopics, words and sites; `only` excludes subtopic pages."""
    told = view.library.overview()
    kind = ""
    if path not in told.nodes:
        path, kind = split_twin(path)
    node = told.nodes.get(path)
    if node is None:
        tidy = written(parsed(path.strip("/")))
        if tidy in told.nodes and tidy != path:
            return view.go(topic_address(tidy) + (f".{kind}" if kind else ""))
        later = view.library.later_path(tidy)
        if later is not None:
            return RedirectResponse(topic_address(later) + (f".{kind}" if kind else ""), 301)
        raise Refused(404, "error.topic", "error.topic_then")
    library = view.library
    shelf = PageSelection(topics=(node.path,) if only else told.below(node.path))
    total = node.direct if only else node.pages
    part = library.part(shelf, order, total, page)
    if kind:
        title = f"{node.name} - {library.title}"
        return twin(view, kind, part.pages, title, {"topic": node.path, "total": total, "page": part.number})
    taught = library.topics().get(parsed(node.path))
    return view.page(
        "topic.html",
        node=node,
        line=told.line(node.path),
        part=part,
        order=order,
        only=only,
        words=library.telling(node.path)[:_WORDS],
        sites=node.largest[:_SITES],
        close=library.close_topics(node.path),
        taught=taught.pages if taught and not total else (),
    )


@doors.page("/new")
def new(view: Seen, page: PageNumber = 1) -> Response:
    """Show the newest pages, day by day."""
    part = view.library.part(PageSelection(), ListOrder.NEWEST, view.library.overview().pages, page)
    days = [(day, list(found)) for day, found in groupby(part.pages, key=_day)]
    return view.page("new.html", part=part, days=days, told=view.library.overview())


@doors.page("/new.{kind}")
def new_twin(view: Seen, kind: str, page: PageNumber = 1) -> Response:
    """Return the newest pages as data."""
    total = view.library.overview().pages
    part = view.library.part(PageSelection(), ListOrder.NEWEST, total, page)
    title = f"{view.say('new.title').striptags()} - {view.library.title}"
    return twin(view, kind, part.pages, title, {"total": total, "page": part.number})


@doors.page("/site/{host}")
def site(view: Seen, host: str, page: PageNumber = 1) -> Response:
    """Show all pages of a site."""
    host, kind = _site(view, host)
    told = view.library.overview()
    branches = told.branches(host)
    total = sum(branches.values())
    if not total:
        raise Refused(404, "error.site", "error.site_then")
    part = view.library.part(PageSelection(host=host), ListOrder.BEST, total, page)
    if kind:
        return twin(view, kind, part.pages, host, {"site": host, "total": total, "page": part.number})
    topics = [(told.nodes[path], number) for path, number in branches.items()]
    return view.page("site.html", host=host, part=part, topics=topics)


def _site(view: RequestContext, host: str) -> tuple[str, str]:
    """Return a host and the kind of data requested; a host name may itself end like one."""
    return (host, "") if view.library.overview().branches(host) else split_twin(host)


def _day(page: ListedPage) -> float:
    """Return the start of the day on which a page was found, in local time."""
    local = datetime.fromtimestamp(page.found, UTC).astimezone()
    return local.replace(hour=0, minute=0, second=0, microsecond=0).timestamp()

"""First start: from bookmarks to a running crawl, in a few steps."""

from typing import Annotated, Final

from fastapi import File, Form, Query, UploadFile
from starlette.responses import Response

from thresher.portal.changes import change_settings, change_topics
from thresher.portal.doors import Doors
from thresher.portal.gathering import MAX_TOPICS, added, gathered, tidied
from thresher.portal.routes.crawl import live_of
from thresher.portal.routes.work import bench_of
from thresher.portal.settings_file import with_setting
from thresher.portal.view import RequestContext, Seen
from thresher.portal.work import InTheWay
from thresher.portals import editing_settings, editing_topics
from thresher.store.portal_records import Role
from thresher.store.work_records import WorkKind, WorkRow
from thresher.taxonomy.topic_tree import parsed, written

doors = Doors()

_MOST_PAGES: Final = 1_000_000
_LONGEST: Final = 200
_DONE: Final = ("imported", "tidied", "contact")

Text = Annotated[str, Form(max_length=200_000)]


@doors.page("/start", needs=Role.ADMIN)
def start(
    view: Seen,
    done: Annotated[str, Query(max_length=20)] = "",
    deed: Annotated[int, Query(ge=0, lt=1 << 62)] = 0,
) -> Response:
    """Show the steps from bookmarks to a crawl, what was just done, and what is left to do."""
    return _page(view, done=done, deed=deed)


@doors.form("/start/import", needs=Role.ADMIN)
def import_topics(
    view: Seen,
    file: Annotated[UploadFile | str | None, File()] = None,
    links: Text = "",
    words: Text = "",
) -> Response:
    """Create topics from a bookmark file, links or words, and add them to the existing ones."""
    data, name = (b"", "") if file is None or isinstance(file, str) else (file.file.read(), file.filename or "")
    more = gathered(data, name, links, words, view.library.title)
    if not more.root.children and not more.seeds:
        return _page(view, 400, fault="first_start.nothing_found")
    with editing_topics(view.library.portal) as topics:
        tree = added(topics, more)
        if sum(1 for _ in tree.walk()) > MAX_TOPICS:
            return _page(view, 400, fault="first_start.too_many")
        number = change_topics(view, "", tree)
    return view.go(f"/start?done=imported&deed={number}")


@doors.form("/start/tidy", needs=Role.ADMIN)
def tidy_topics(
    view: Seen,
    path: Annotated[list[str], Form(max_length=MAX_TOPICS)] = [],  # noqa: B006 - it is never changed
    name: Annotated[list[str], Form(max_length=MAX_TOPICS)] = [],  # noqa: B006
    drop: Annotated[list[str], Form(max_length=MAX_TOPICS)] = [],  # noqa: B006
) -> Response:
    """Rename topics, and remove some."""
    names = {parsed(known): given[:_LONGEST] for known, given in zip(path, name, strict=False) if parsed(known)}
    with editing_topics(view.library.portal) as topics:
        fresh, renamed = tidied(topics, names, {parsed(known) for known in drop if parsed(known)})
        number = change_topics(view, "", fresh, [(written(old), written(new)) for old, new in renamed])
    return view.go(f"/start?done=tidied&deed={number}")


@doors.form("/start/contact", needs=Role.ADMIN)
def set_contact(
    view: Seen,
    contact: Annotated[str, Form(max_length=_LONGEST)] = "",
    title: Annotated[str, Form(max_length=_LONGEST)] = "",
) -> Response:
    """Set the contact of the crawler and the title of the portal."""
    contact, title = " ".join(contact.split()), " ".join(title.split())
    usable = contact.isprintable() and ("@" in contact or contact.startswith(("http://", "https://")))
    if not usable:
        return _page(view, 400, fault="first_start.bad_contact", contact=contact)
    with editing_settings(view.library.portal) as before:
        text = with_setting(before, "network.contact", contact)
        if title.isprintable() and title:
            text = with_setting(text, "portal.title", title)
        number = change_settings(view, "network.contact", before, text)
    return view.go(f"/start?done=contact&deed={number}")


@doors.form("/start/go", needs=Role.ADMIN)
def first_crawl(view: Seen, pages: Annotated[int, Form(ge=1, le=_MOST_PAGES)] = 1000) -> Response:
    """Train the topics and start the first crawl."""
    if missing := missing_of(view):
        return _page(view, 409, fault=missing)
    user = view.user.name if view.user else ""
    row = WorkRow(kind=WorkKind.RUN, asked=view.library.clock(), pages=pages, user=user)
    found = bench_of(view).start(row)
    live_of(view).look_again()
    if isinstance(found, InTheWay):
        return _page(view, 409, fault="first_start.busy")
    return view.go("/crawl")


def missing_of(view: RequestContext) -> str:
    """Return the message key of what must be given before a crawl can start, "" if it can."""
    topics = view.library.fresh_topics()
    starts = bool(topics.start_urls() or view.library.store.start_urls.urls())
    if not topics.root.children or not starts:
        return "first_start.needs_topics"
    return "" if view.library.settings.network.contact else "first_start.needs_contact"


def _page(
    view: RequestContext, status: int = 200, *, fault: str = "", done: str = "", deed: int = 0, contact: str = ""
) -> Response:
    topics = view.library.fresh_topics()
    last = view.library.store.deeds.get(deed) if deed else None
    return view.page(
        "first_start.html",
        status,
        fault=fault,
        done=done if done in _DONE else "",
        last=last if last is not None and last.undone is None else None,
        topics=[(written(path), topic, len(path)) for path, topic in topics.walk()],
        pages=sum(len(topic.pages) for _, topic in topics.walk()),
        starts=len({*(url for url, _ in topics.start_urls()), *view.library.store.start_urls.urls()}),
        contact=contact or view.library.settings.network.contact,
        missing=missing_of(view),
        crawled=view.library.crawl() is not None,
    )

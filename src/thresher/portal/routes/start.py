"""First start: from bookmarks to a running crawl, in a few steps."""

from contextlib import suppress
from typing import Annotated, Final

from fastapi import File, Form, UploadFile
from starlette.responses import Response

from thresher.config.edit import change_setting
from thresher.config.load import load
from thresher.errors import ThresherError
from thresher.portal.doors import Doors
from thresher.portal.gathering import MAX_TOPICS, added, gathered, tidied
from thresher.portal.routes.crawl import bench_of, live_of
from thresher.portal.view import Seen, View
from thresher.portal.work import InTheWay
from thresher.portals import load_topics, save_topics
from thresher.store.portal_records import Role
from thresher.store.work_records import WorkKind, WorkRow
from thresher.taxonomy.topic_tree import Taxonomy, parsed, written
from thresher.taxonomy.topics_file import FILE as TOPICS

doors = Doors()

BEFORE: Final = f"{TOPICS}.before"
"""The topics as they were before the last change made here."""

_MOST_PAGES: Final = 1_000_000
_LONGEST: Final = 200

Text = Annotated[str, Form(max_length=200_000)]


@doors.page("/start", needs=Role.ADMIN)
def start(view: Seen) -> Response:
    """Show the steps from bookmarks to a crawl, and what is still to do."""
    return _page(view)


@doors.form("/start/import", needs=Role.ADMIN)
def import_topics(
    view: Seen,
    file: Annotated[UploadFile | str | None, File()] = None,
    links: Text = "",
    words: Text = "",
) -> Response:
    """Make topics of a bookmark file, of links, or of words, and add them to those that are there."""
    data, name = (b"", "") if file is None or isinstance(file, str) else (file.file.read(), file.filename or "")
    more = gathered(data, name, links, words, view.library.title)
    if not more.root.children and not more.seeds:
        return _page(view, 400, fault="first_start.nothing_found")
    tree = added(load_topics(view.library.portal), more)
    if sum(1 for _ in tree.walk()) > MAX_TOPICS:
        return _page(view, 400, fault="first_start.too_many")
    _save(view, tree)
    return view.go("/start?done=imported")


@doors.form("/start/tidy", needs=Role.ADMIN)
def tidy_topics(
    view: Seen,
    path: Annotated[list[str], Form(max_length=MAX_TOPICS)] = [],  # noqa: B006 - it is never changed
    name: Annotated[list[str], Form(max_length=MAX_TOPICS)] = [],  # noqa: B006
    drop: Annotated[list[str], Form(max_length=MAX_TOPICS)] = [],  # noqa: B006
) -> Response:
    """Rename topics, and leave some out."""
    names = {parsed(known): given[:_LONGEST] for known, given in zip(path, name, strict=False) if parsed(known)}
    fresh = tidied(load_topics(view.library.portal), names, {parsed(known) for known in drop if parsed(known)})
    _save(view, fresh)
    return view.go("/start?done=tidied")


@doors.form("/start/undo", needs=Role.ADMIN)
def undo_topics(view: Seen) -> Response:
    """Bring the topics back as they were before the last change made here; once more, and the change is there again."""
    folder = view.library.portal
    now, before = folder / TOPICS, folder / BEFORE
    with suppress(OSError):
        if before.exists():
            beside = folder / f"{TOPICS}.new"
            now.replace(beside)
            before.replace(now)
            beside.replace(before)
    return view.go("/start?done=undone")


@doors.form("/start/contact", needs=Role.ADMIN)
def set_contact(
    view: Seen,
    contact: Annotated[str, Form(max_length=_LONGEST)] = "",
    title: Annotated[str, Form(max_length=_LONGEST)] = "",
) -> Response:
    """Say who runs the crawler, and what the portal is called."""
    contact, title = " ".join(contact.split()), " ".join(title.split())
    usable = contact.isprintable() and ("@" in contact or contact.startswith(("http://", "https://")))
    if not usable:
        return _page(view, 400, fault="first_start.bad_contact")
    folder = view.library.portal
    try:
        change_setting(folder, "network.contact", contact)
        if title.isprintable() and title:
            change_setting(folder, "portal.title", title)
        view.library.adopt(load(folder).settings)
    except ThresherError:
        return _page(view, 400, fault="first_start.bad_contact")
    return view.go("/start?done=contact")


@doors.form("/start/go", needs=Role.ADMIN)
def first_crawl(view: Seen, pages: Annotated[int, Form(ge=1, le=_MOST_PAGES)] = 1000) -> Response:
    """Learn the topics and start the first crawl."""
    if not is_ready(view):
        return _page(view, 409, fault="first_start.not_ready")
    user = view.user.name if view.user else ""
    row = WorkRow(kind=WorkKind.RUN, asked=view.library.clock(), pages=pages, user=user)
    found = bench_of(view).start(row)
    live_of(view).look_again()
    if isinstance(found, InTheWay):
        return _page(view, 409, fault="first_start.busy")
    return view.go("/crawl")


def is_ready(view: View) -> bool:
    """Tell whether a crawl can begin: there are topics, pages to start from, and somebody to write to."""
    topics = load_topics(view.library.portal)
    starts = bool(topics.start_urls() or view.library.store.start_urls.urls())
    return bool(topics.root.children) and starts and bool(view.library.settings.network.contact)


def _save(view: View, tree: Taxonomy) -> None:
    folder = view.library.portal
    before = (folder / TOPICS).read_bytes() if (folder / TOPICS).exists() else b""
    beside = folder / f"{BEFORE}.new"
    beside.write_bytes(before)
    beside.chmod(0o600)
    beside.replace(folder / BEFORE)
    save_topics(folder, tree)


def _page(view: View, status: int = 200, fault: str = "") -> Response:
    topics = load_topics(view.library.portal)
    done = view.request.query_params.get("done", "")
    return view.page(
        "first_start.html",
        status,
        fault=fault,
        done=done if done in ("imported", "tidied", "undone", "contact") else "",
        topics=[(written(path), topic, len(path)) for path, topic in topics.walk()],
        pages=sum(len(topic.pages) for _, topic in topics.walk()),
        starts=len({*(url for url, _ in topics.start_urls()), *view.library.store.start_urls.urls()}),
        can_undo=(view.library.portal / BEFORE).exists(),
        ready=is_ready(view),
        crawled=view.library.crawl() is not None,
    )

"""Managing training pages and start pages: add, remove, and trim what does not belong."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import Form, Query
from msgspec.structs import replace
from starlette.responses import Response

from thresher.errors import InputError
from thresher.portal.changes import change_training
from thresher.portal.doors import Doors, Refused
from thresher.portal.view import RequestContext, Seen
from thresher.portals import editing_topics
from thresher.store.page_records import DocumentRow
from thresher.store.portal_records import Role
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, distinct, parsed, put, written
from thresher.train.changed_topics import topics_changed
from thresher.train.stored_pages import find
from thresher.train.trimming import passage_digest, passages
from thresher.types import Failed
from thresher.web.urls import canonical

doors = Doors()

Text = Annotated[str, Query(max_length=5000)]
Field = Annotated[str, Form(max_length=5000)]
_MOST = 500
_PASSAGES = 2000


@doors.page("/manage/training", needs=Role.REVIEWER)
def manage_training(
    view: Seen, topic: Text = "", url: Text = "", done: Annotated[int, Query(ge=0, lt=1 << 62)] = 0
) -> Response:
    """Show the training pages of a topic, and the start pages."""
    tree = view.library.topics()
    topic = topic or _first_taught(tree)
    one = tree.get(parsed(topic)) if topic else None
    rows = [(page, _stored(view, page.url)) for page in (one.pages if one else ())[:_MOST]]
    return view.page(
        "manage_training.html",
        here="training",
        told=view.library.overview(),
        topic=topic if one else "",
        rows=rows,
        seeds=tree.seeds[:_MOST],
        starts=view.library.store.start_urls.urls()[:_MOST],
        url=url,
        changed=topics_changed(view.library.portal, view.library.store),
        last=view.library.store.deeds.get(done) if done else None,
    )


@doors.form("/manage/training/add", needs=Role.REVIEWER)
def add_training(view: Seen, urls: Annotated[str, Form(max_length=50_000)] = "", topic: Field = "") -> Response:
    """Add pages to a topic, or to the start pages if no topic is given."""
    wanted = [(line.strip(), _address(line)) for line in urls.split() if line.strip()][:_MOST]
    wrong = [line for line, address in wanted if address is None]
    if wrong or not wanted:
        raise Refused(400, "manage.bad_url", "manage.bad_url_then", url=(wrong or [""])[0][:200])
    pages = [TrainingPage(address) for _, address in wanted if address is not None]
    with editing_topics(view.library.portal) as tree:
        if topic:
            one = _topic(tree, topic)
            made = put(tree, parsed(topic), replace(one, pages=distinct((*one.pages, *pages))))
        else:
            made = replace(tree, seeds=distinct((*tree.seeds, *pages)))
        number = change_training(view, f"training {topic}", made)
    return view.go("/manage/training?" + urlencode({"topic": topic, "done": number}))


@doors.form("/manage/training/remove", needs=Role.REVIEWER)
def remove_training(view: Seen, url: Field = "", topic: Field = "") -> Response:
    """Remove a page from a topic, or from the start pages if no topic is given."""
    with editing_topics(view.library.portal) as tree:
        if topic:
            one = _topic(tree, topic)
            made = put(tree, parsed(topic), replace(one, pages=tuple(page for page in one.pages if page.url != url)))
        else:
            made = replace(tree, seeds=tuple(page for page in tree.seeds if page.url != url))
        number = change_training(view, f"training {topic}", made)
    return view.go("/manage/training?" + urlencode({"topic": topic, "done": number}))


@doors.page("/manage/training/trim", needs=Role.REVIEWER)
def trim(view: Seen, topic: Text = "", url: Text = "") -> Response:
    """Show the passages of a training page, to mark those that do not belong."""
    page = _training_page(view, topic, url)
    stored = _stored(view, page.url)
    if stored is None:
        raise Refused(404, "manage.not_fetched", "manage.not_fetched_then")
    found = [(passage, passage_digest(passage)) for passage in passages(stored.text)[:_PASSAGES]]
    return view.page("manage_trim.html", here="training", topic=topic, page=page, stored=stored, passages=found)


@doors.form("/manage/training/trim", needs=Role.REVIEWER)
def trimmed(
    view: Seen,
    topic: Field = "",
    url: Field = "",
    without: Annotated[list[Annotated[str, Form(max_length=40)]] | None, Form(max_length=_PASSAGES)] = None,
) -> Response:
    """Save which passages of a training page do not belong."""
    page = _training_page(view, topic, url)
    marked = tuple(dict.fromkeys(one for one in without or [] if one.isalnum()))
    with editing_topics(view.library.portal) as tree:
        one = _topic(tree, topic)
        pages = tuple(replace(known, without=marked) if known.url == page.url else known for known in one.pages)
        number = change_training(view, f"trim {page.url}", put(tree, parsed(topic), replace(one, pages=pages)))
    return view.go("/manage/training?" + urlencode({"topic": topic, "done": number}))


def _address(line: str) -> str | None:
    return canonical(line.strip()) or (canonical("https://" + line.strip()) if "." in line else None)


def _first_taught(tree: Taxonomy) -> str:
    """Return the first topic with training pages of its own, or else the first one; empty if there is none."""
    paths = [(written(path), one) for path, one in tree.walk()]
    taught = (path for path, one in paths if one.pages)
    return next(taught, paths[0][0] if paths else "")


def _topic(tree: Taxonomy, topic: str) -> Topic:
    one = tree.get(parsed(topic))
    if one is None:
        raise Refused(404, "error.topic", "error.topic_then")
    return one


def _training_page(view: RequestContext, topic: str, url: str) -> TrainingPage:
    pages = _topic(view.library.topics(), topic).pages
    found = next((page for page in pages if page.url == url), None)
    if found is None:
        raise Refused(404, "error.document", "error.document_then")
    return found


def _stored(view: RequestContext, url: str) -> DocumentRow | None:
    try:
        rows = find(view.library.store, url)
    except InputError:
        return None
    return None if isinstance(rows, Failed) else next(iter(rows), None)

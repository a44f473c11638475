"""Managing topics: the tree with the health of each topic, and edits with a preview."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import Form, Query
from starlette.responses import Response

from thresher.errors import InputError
from thresher.portal.changes import change_topics
from thresher.portal.doors import Doors, Refused, cannot
from thresher.portal.topic_edits import Edit, Preview, preview
from thresher.portal.topic_health import healths
from thresher.portal.view import RequestContext, Seen
from thresher.portals import editing_topics
from thresher.store.portal_records import Role
from thresher.taxonomy.topic_tree import Taxonomy
from thresher.train.changed_topics import topics_changed

doors = Doors()

Text = Annotated[str, Query(max_length=5000)]
Field = Annotated[str, Form(max_length=5000)]


@doors.page("/manage/topics", needs=Role.ADMIN)
def manage_topics(view: Seen, done: Annotated[int, Query(ge=0, lt=1 << 62)] = 0) -> Response:
    """Show the tree for editing."""
    library = view.library
    return view.page(
        "manage_topics.html",
        here="topics",
        told=library.overview(),
        healths=healths(library),
        changed=topics_changed(library.portal, library.store),
        trained=library.store.models.newest() is not None,
        last=library.store.deeds.get(done) if done else None,
    )


@doors.page("/manage/topics/preview", needs=Role.ADMIN)
def preview_edit(view: Seen, edit: Text = "", topic: Text = "", to: Text = "") -> Response:
    """Show what an edit would change."""
    found = _preview(view, view.library.topics(), edit, topic, to)
    return view.page("manage_preview.html", here="topics", edit=Edit(edit), topic=topic, to=to, found=found)


@doors.form("/manage/topics/change", needs=Role.ADMIN)
def change_topic(view: Seen, edit: Field = "", topic: Field = "", to: Field = "") -> Response:
    """Apply an edit."""
    with editing_topics(view.library.portal) as tree:
        found = _preview(view, tree, edit, topic, to)
        renamed = [found.renamed] if found.renamed else []
        number = change_topics(view, f"{Edit(edit).value} {topic or to}", found.tree, renamed)
    return view.go("/manage/topics?" + urlencode({"done": number}))


def _preview(view: RequestContext, tree: Taxonomy, edit: str, topic: str, to: str) -> Preview:
    if edit not in list(Edit):
        raise Refused(400, "error.request", "error.request_then")
    try:
        return preview(view.library, tree, Edit(edit), topic, to)
    except InputError as error:
        raise cannot(error) from None

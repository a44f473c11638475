"""Managing words: which words identify a topic, and which of them people marked good or bad."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import Form, Query
from starlette.responses import Response

from thresher.portal.changes import change_training
from thresher.portal.doors import Doors, Refused
from thresher.portal.topic_words import marked, workshop
from thresher.portal.view import Seen
from thresher.portals import editing_topics
from thresher.store.portal_records import Role
from thresher.train.changed_topics import topics_changed

doors = Doors()

MARKS = ("good", "bad", "")


@doors.page("/manage/words", needs=Role.REVIEWER)
def manage_words(
    view: Seen, topic: Annotated[str, Query(max_length=2000)] = "", done: Annotated[int, Query(ge=0, lt=1 << 62)] = 0
) -> Response:
    """Show the words that identify a topic."""
    told = view.library.overview()
    topic = topic if topic in told.nodes else next(iter(told.nodes), "")
    return view.page(
        "manage_words.html",
        here="words",
        told=told,
        topic=topic,
        rows=workshop(view.library, topic) if topic else [],
        changed=topics_changed(view.library.portal, view.library.store),
        last=view.library.store.deeds.get(done) if done else None,
    )


@doors.form("/manage/words/mark", needs=Role.REVIEWER)
def mark_word(
    view: Seen,
    topic: Annotated[str, Form(max_length=2000)] = "",
    word: Annotated[str, Form(max_length=200)] = "",
    mark: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """Mark a word of a topic, or remove its mark."""
    word = " ".join(word.split())
    if view.node(topic) is None or mark not in MARKS or not word:
        raise Refused(400, "error.request", "error.request_then")
    with editing_topics(view.library.portal) as tree:
        number = change_training(view, f"word {word}", marked(tree, topic, word, mark))
    return view.go("/manage/words?" + urlencode({"topic": topic, "done": number}))

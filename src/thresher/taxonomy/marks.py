"""Extra fields in bookmark files written by Thresher, for what bookmarks cannot represent.

They are JSON in an attribute of the folder or entry, which browsers ignore and do not keep. A folder with a mark is a
topic whatever its name, even if it is empty.
"""

import json
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from thresher.taxonomy.bookmark_dates import moment
from thresher.taxonomy.shelves import PageMark, TopicMark, described, tags_of, tidy
from thresher.taxonomy.topic_tree import Topic, TrainingPage

ATTRIBUTE: Final = "DATA-THRESHER"

Mark = TypeVar("Mark", PageMark, TopicMark)


def topic_mark(topic: Topic) -> TopicMark:
    """Return what a folder's name, date and description cannot express about a topic.

    >>> topic_mark(Topic(name="Boats", languages=("en",), note="Good"))
    TopicMark(others=False, indicators=(), languages=('en',), query='', note=None, added=None)
    """
    return TopicMark(
        indicators=topic.indicators,
        languages=topic.languages,
        query=topic.query,
        note=topic.note if described(topic.note) != topic.note else None,
        added=topic.added if topic.added is not None and moment(topic.added) != topic.added else None,
    )


def page_mark(page: TrainingPage, seed: bool = False) -> PageMark | None:
    """Return what an entry cannot express about a page, None if nothing; `seed` is true for pages without a topic."""
    mark = PageMark(
        seed=seed,
        file=page.url.startswith("file:///"),
        title=page.title if tidy(page.title) != page.title else None,
        note=page.note if described(page.note) != page.note else None,
        tags=page.tags if _ambiguous(page.tags) else None,
        added=page.added if page.added is not None and moment(page.added) != page.added else None,
    )
    return mark if mark != PageMark() else None


def _ambiguous(tags: tuple[str, ...]) -> bool:
    """Return whether tags would be read back differently, depending on commas and spaces in other entries."""
    return any(tags_of(",".join(tags), separator) != tags for separator in (",", *([None] if len(tags) == 1 else [])))


def write_mark(mark: Struct) -> str:
    """Return a mark as ASCII JSON, without empty fields.

    >>> write_mark(TopicMark(query="free ARIES")), write_mark(TopicMark())
    ('{"query":"free ARIES"}', '{}')
    """
    data: dict[str, Any] = msgspec.to_builtins(mark)
    return json.dumps(data, separators=(",", ":"))


def read_mark(written: str | None, kind: type[Mark]) -> Mark | None:
    """Return the mark that was written, or None if there is none or it cannot be parsed.

    >>> read_mark('{"query":"free ARIES"}', TopicMark).query, read_mark("{", TopicMark), read_mark(None, PageMark)
    ('free ARIES', None, None)
    """
    if written is None:
        return None
    try:
        return msgspec.json.decode(written.encode("utf-8", "replace"), type=kind)
    except (msgspec.DecodeError, RecursionError):
        return None

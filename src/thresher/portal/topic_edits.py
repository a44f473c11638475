"""Edits of the topic tree, with a preview of what each would change."""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from thresher.portal.doors import Refused
from thresher.portal.library import Library
from thresher.taxonomy.topic_tree import (
    Path,
    Taxonomy,
    Topic,
    found,
    merged,
    moved,
    name_of,
    parsed,
    put,
    without,
    written,
)


class Edit(StrEnum):
    """What can be done to a topic."""

    ADD = "add"
    RENAME = "rename"
    MOVE = "move"
    MERGE = "merge"
    DELETE = "delete"
    NOTE = "note"


class Preview(Struct, frozen=True):
    """The result of an edit: the new tree, the renamed path, and how much is affected.

    `topics` and `examples` count those of the topic and its subtopics, `pages` the pages found for them.
    """

    tree: Taxonomy
    renamed: tuple[str, str] | None
    after: str
    topics: int
    examples: int
    pages: int


def preview(library: Library, tree: Taxonomy, edit: Edit, topic: str, to: str) -> Preview:
    """Return the result of an edit; raises InputError or Refused if it is impossible.

    `to` is the new name, parent, topic or note; a parent of "" is the top level.
    """
    path = parsed(topic)
    if edit is not Edit.ADD and not path:
        raise Refused(400, "manage.no_name", "manage.no_name_then")
    found(tree, path)
    made, after = _made(tree, edit, path, to)
    below = [(at, one) for at, one in tree.walk() if at[: len(path)] == path] if path else []
    told = library.overview().nodes.get(topic)
    names = after != topic and edit in (Edit.RENAME, Edit.MOVE, Edit.MERGE)
    return Preview(
        tree=made,
        renamed=(topic, after) if names else None,
        after=after,
        topics=len(below),
        examples=sum(len(one.pages) for _, one in below),
        pages=told.pages if told else 0,
    )


def _made(tree: Taxonomy, edit: Edit, path: Path, to: str) -> tuple[Taxonomy, str]:
    """Return the new tree, and the path of the topic afterwards, "" if it is gone."""
    if edit in (Edit.ADD, Edit.RENAME) and not to.strip():
        raise Refused(400, "manage.no_name", "manage.no_name_then")
    match edit:
        case Edit.ADD:
            new = (*path, name_of(to))
            if tree.get(new) is not None:
                raise Refused(409, "manage.there_already", "manage.there_already_then", topic=written(new))
            return put(tree, new, Topic(name=new[-1])), written(new)
        case Edit.RENAME:
            new = (*path[:-1], name_of(to))
            return (tree if new == path else moved(tree, path, new)), written(new)
        case Edit.MOVE:
            found(tree, parsed(to))
            new = (*parsed(to), path[-1])
            return (tree if new == path else moved(tree, path, new)), written(new)
        case Edit.MERGE:
            return merged(tree, path, parsed(to)), written(parsed(to))
        case Edit.NOTE:
            return put(tree, path, replace(found(tree, path), note=to.strip()[:5000])), written(path)
        case _:
            return without(tree, path), ""

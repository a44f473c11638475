"""`thresher topics`: shows and edits the topics of a portal."""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from thresher.api.portal import Portal as OpenPortal
from thresher.api.topics import TopicList, Topics
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.topic_notes import show_advice, warn_of_changed_topics
from thresher.errors import InputError, UsageError, command
from thresher.portals import load_topics, save_topics
from thresher.store.repository import open_store
from thresher.taxonomy.example_sites import topics_of_one_site
from thresher.taxonomy.to_bookmarks import to_bookmarks
from thresher.taxonomy.topic_tree import (
    Taxonomy,
    Topic,
    TrainingPage,
    distinct,
    found,
    merged,
    moved,
    name_of,
    parsed,
    put,
    without,
    written,
)
from thresher.taxonomy.topics_file import write_topics
from thresher.train.changed_topics import topics_changed
from thresher.web.urls import canonical

Change = Callable[[Taxonomy, list[str]], Taxonomy]


@app.command(epilog="Example: thresher topics my-portal add Science/Physics https://example.org/physics")
def topics(
    portal: Portal,
    action: Annotated[
        str, typer.Argument(metavar="[ACTION]", help="show, add, rename, move, merge, delete or export.")
    ] = "show",
    words: Annotated[list[str] | None, typer.Argument(metavar="[WORDS]...", help="Arguments of the action.")] = None,
    force: Annotated[bool, typer.Option("--force", help="With export: overwrite an existing file.")] = False,
    json: Json = False,
) -> None:
    """Show or edit the topics. Topics are written as paths with slashes, as in Science/Physics.

    add TOPIC [URL]... - rename TOPIC NAME - move TOPIC PARENT (/ for the top) - merge TOPIC INTO - delete TOPIC -
    export FILE.html or FILE.toml
    """
    given = words or []
    found = OpenPortal.open(portal).topics
    if force and action != "export":
        raise UsageError("--force works only with the action export.", "Leave it out.")
    if action == "export":
        _export(found, given, force)
    elif action != "show":
        tree = _changed(portal, tree, action, given)
        save_topics(portal, tree)
        _remember_move(portal, action, given)
    changed = topics_changed(portal)
    if json:
        listed: TopicList = {"portal": str(portal), "topics": found.rows(), "topics_changed": changed}
        print_json(listed)
        return
    if action == "export":
        console().print(f"Wrote {given[0]}.")
    else:
        _show(portal, found)
    if changed:
        warn_of_changed_topics(console(), portal)


_ACTIONS: dict[str, tuple[Callable[..., None], int, int, str]] = {
    "add": (Topics.add, 1, 10_000, "add TOPIC [URL]..."),
    "rename": (Topics.rename, 2, 2, "rename TOPIC NAME"),
    "move": (Topics.move, 2, 2, "move TOPIC PARENT"),
    "merge": (Topics.merge, 2, 2, "merge TOPIC INTO"),
    "delete": (Topics.delete, 1, 1, "delete TOPIC"),
}
"""What changes topics, how many words it takes, and its usage."""


def _change(portal: Path, found: Topics, action: str, words: list[str]) -> None:
    if action not in _ACTIONS:
        raise UsageError(f"There is no action '{action}'.", f"Choose one of: show, {', '.join(_ACTIONS)}, export.")
    change, least, most, usage = _ACTIONS[action]
    if not least <= len(words) <= most:
        raise UsageError(f"Wrong number of arguments for {action}.", f"Usage: {command('topics', portal)} {usage}")
    change(found, *words)


def _remember_move(portal: Path, action: str, words: list[str]) -> None:
    """Keep what a topic is called now, so that addresses of its web page go on working."""
    if action not in ("rename", "move", "merge"):
        return
    before = parsed(words[0])
    later = {
        "rename": lambda: (*before[:-1], name_of(words[1])),
        "move": lambda: (*parsed(words[1]), before[-1]),
        "merge": lambda: parsed(words[1]),
    }[action]()
    if later != before:
        with closing(open_store(portal)) as store:
            store.topic_history.move([(written(before), written(later))], time.time())


def _add(tree: Taxonomy, words: list[str]) -> Taxonomy:
    path = tuple(name_of(name) for name in parsed(words[0]))
    if not path:
        raise InputError("A topic needs a name.", "Write it like Science/Physics.")
    topic = tree.get(path) or Topic(name=path[-1])
    return put(tree, path, replace(topic, pages=distinct((*topic.pages, *map(_page, words[1:])))))


def _page(word: str) -> TrainingPage:
    file = Path(word)
    url = canonical(word) or (file.resolve().as_uri() if file.is_file() else None)
    if url is None:
        raise InputError(f"'{word[:200]}' is neither an http or https URL nor a file.", "Check the spelling.")
    return TrainingPage(url)


def _rename(tree: Taxonomy, words: list[str]) -> Taxonomy:
    path = parsed(words[0])
    found(tree, path)
    return moved(tree, path, (*path[:-1], name_of(words[1])))


def _move(tree: Taxonomy, words: list[str]) -> Taxonomy:
    path, parent = parsed(words[0]), parsed(words[1])
    found(tree, parent)
    found(tree, path)
    return moved(tree, path, (*parent, path[-1]))


_ACTIONS: dict[str, tuple[Change, int, int, str]] = {
    "add": (_add, 1, 10_000, "add TOPIC [URL]..."),
    "rename": (_rename, 2, 2, "rename TOPIC NAME"),
    "move": (_move, 2, 2, "move TOPIC PARENT"),
    "merge": (lambda tree, words: merged(tree, parsed(words[0]), parsed(words[1])), 2, 2, "merge TOPIC INTO"),
    "delete": (lambda tree, words: without(tree, parsed(words[0])), 1, 1, "delete TOPIC"),
}


def _export(tree: Taxonomy, words: list[str], force: bool) -> None:
    forms: dict[str, Callable[[Taxonomy], str]] = {
        ".html": to_bookmarks,
        ".htm": to_bookmarks,
        ".toml": write_topics,
    }
    form = forms.get(Path(words[0]).suffix.lower()) if len(words) == 1 else None
    if form is None:
        raise UsageError("Topics are exported to one file.", "Give FILE.html for bookmarks or FILE.toml for topics.")
    found.export(words[0], overwrite=force)


def _show(portal: Path, found: Topics) -> None:
    out = console()
    rows = found.rows()
    if not rows:
        out.print(f"{portal} has no topics. Add one: {hint('topics', portal, 'add', 'TOPIC', 'URL')}")
        return
    out.print("  pages  negatives  topic")
    for row in rows:
        # A slash inside a name is written as %2F.
        indent = "  " * row["path"].count("/")
        out.print(f"{row['pages']:7,}{row['negatives']:11,}  {indent}{row['name']}")
    show_advice(out, {row["path"]: row["advice"] for row in rows if row["advice"]})
    if seeds := found.tree().seeds:
        out.print(f"Plus {counted(len(seeds), 'start page')} without a topic.")

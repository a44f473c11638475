"""`thresher topics`: shows and edits the topics of a portal."""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import replace

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
    tree = load_topics(portal)
    if force and action != "export":
        raise UsageError("--force works only with the action export.", "Leave it out.")
    if action == "export":
        _export(tree, given, force)
    elif action != "show":
        tree = _changed(portal, tree, action, given)
        save_topics(portal, tree)
        _remember_move(portal, action, given)
    changed = topics_changed(portal)
    if json:
        print_json({"portal": str(portal), "topics": _rows(tree), "topics_changed": changed})
        return
    if action == "export":
        console().print(f"Wrote {given[0]}.")
    else:
        _show(portal, tree)
    if changed:
        warn_of_changed_topics(console(), portal)


def _changed(portal: Path, tree: Taxonomy, action: str, words: list[str]) -> Taxonomy:
    if action not in _ACTIONS:
        raise UsageError(f"There is no action '{action}'.", f"Choose one of: show, {', '.join(_ACTIONS)}, export.")
    change, least, most, usage = _ACTIONS[action]
    if not least <= len(words) <= most:
        raise UsageError(f"Wrong number of arguments for {action}.", f"Usage: {command('topics', portal)} {usage}")
    return change(tree, words)


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
    try:
        with Path(words[0]).open("w" if force else "x", encoding="utf-8") as file:
            file.write(form(tree))
    except FileExistsError:
        raise InputError(f"{words[0]} already exists.", "Choose another file, or overwrite it with --force.") from None
    except OSError as error:
        raise InputError(f"{words[0]} cannot be written: {error.strerror}.", "Choose another file.") from None


def _rows(tree: Taxonomy) -> list[dict[str, Any]]:
    """Return a row per topic: `pages` counts its own training pages, `negatives` its negative examples.

    `advice` is what would help the topic most, None if there is nothing to say.
    """
    below: dict[tuple[str, ...], int] = {}
    for path, topic in tree.walk():
        for depth in range(1, len(path) + 1):
            below[path[:depth]] = below.get(path[:depth], 0) + len(topic.pages)
    rows = []
    advice = topics_of_one_site(tree)
    for path, topic in tree.walk():
        parent = found(tree, path[:-1])
        siblings = sum(below[(*path[:-1], child.name)] for child in parent.children if child.name != topic.name)
        rows.append(
            {
                "name": topic.name,
                "path": written(path),
                "pages": len(topic.pages),
                "negatives": siblings + len(parent.others),
                "advice": advice.get(written(path)),
            }
        )
    return rows


def _show(portal: Path, tree: Taxonomy) -> None:
    out = console()
    rows = _rows(tree)
    if not rows:
        out.print(f"{portal} has no topics. Add one: {hint('topics', portal, 'add', 'TOPIC', 'URL')}")
        return
    out.print("  pages  negatives  topic")
    for row, (path, _) in zip(rows, tree.walk(), strict=True):
        indent = "  " * (len(path) - 1)
        out.print(f"{row['pages']:7,}{row['negatives']:11,}  {indent}{row['name']}")
    show_advice(out, {row["path"]: row["advice"] for row in rows if row["advice"]})
    if tree.seeds:
        out.print(f"Plus {counted(len(tree.seeds), 'start page')} without a topic.")

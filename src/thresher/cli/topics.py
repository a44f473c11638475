"""`thresher topics`: shows and edits the topics of a portal."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from thresher.api.portal import Portal as OpenPortal
from thresher.api.topics import TopicList, Topics
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, action_argument
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.topic_notes import show_advice, warn_of_changed_topics
from thresher.errors import UsageError, command

ACTIONS = ("show", "add", "rename", "move", "merge", "delete", "export")


@app.command(epilog="Example: thresher topics my-portal add Science/Physics https://example.org/physics")
def topics(
    portal: Portal,
    action: Annotated[str, action_argument(ACTIONS)] = "show",
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
        _change(portal, found, action, given)
    changed = found.changed
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


_CHANGES: dict[str, tuple[Callable[..., None], int, int, str]] = {
    "add": (Topics.add, 1, 10_000, "add TOPIC [URL]..."),
    "rename": (Topics.rename, 2, 2, "rename TOPIC NAME"),
    "move": (Topics.move, 2, 2, "move TOPIC PARENT"),
    "merge": (Topics.merge, 2, 2, "merge TOPIC INTO"),
    "delete": (Topics.delete, 1, 1, "delete TOPIC"),
}
"""The actions that change topics, with their numbers of arguments and usage."""


def _change(portal: Path, found: Topics, action: str, words: list[str]) -> None:
    if action not in _CHANGES:
        raise UsageError(f"There is no action '{action}'.", f"Choose one of: {', '.join(ACTIONS)}.")
    change, least, most, usage = _CHANGES[action]
    if not least <= len(words) <= most:
        raise UsageError(f"Wrong number of arguments for {action}.", f"Usage: {command('topics', portal)} {usage}")
    change(found, *words)


def _export(found: Topics, words: list[str], force: bool) -> None:
    if len(words) != 1:
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

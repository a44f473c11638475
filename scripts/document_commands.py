"""docs/COMMANDS.md: the heading of every command, its options from the help texts, and its JSON from the types.

What else a command does is prose and stays as it is.
"""

import re
from typing import Any

import typer.main

from scripts.document_shapes import shape_section
from thresher.cli.main import commands

_HEADING = re.compile(r"^### `(thresher [^`]*)`\n", re.MULTILINE)
_MADE = re.compile(r"\n\| option \| meaning \|\n\| --- \| --- \|\n(?:\|.*\n)*")
_SHAPE = re.compile(r"\nWith `--json`(?: and `[^\n]*`)?:.*?(?=\n## |\Z)", re.DOTALL)
_EVERYWHERE = ("--json", "--help")
_NAMES = {"int": "N", "float": "X", "Path": "FILE"}


def commands_document(document: str) -> str:
    """Return the document with the headings and options of today; a command without a section gets one from its help.

    Raises ValueError where a section is about what is no command.
    """
    known = dict(walk(typer.main.get_command(commands()), "thresher"))
    parts = _HEADING.split(document)
    sections: dict[str, str] = {}
    for heading, text in zip(parts[1::2], parts[2::2], strict=True):
        path = _path(heading, known)
        sections[path] = _SHAPE.sub("", _MADE.sub("\n", "\n" + text, count=1)).lstrip("\n")
    for path, command in known.items():
        if path not in sections:
            sections = _inserted(sections, path, f"{' '.join(command.help.split())}\n{_example(command)}\n")
    made = [
        f"### `{usage(path, known[path])}`\n{options(known[path])}\n{_with_shape(path, text)}"
        for path, text in sections.items()
    ]
    return parts[0] + "".join(made).rstrip("\n") + "\n"


def _with_shape(path: str, text: str) -> str:
    """Return the prose of a section with the object that the command prints, before the heading that may follow."""
    prose, heading, following = text.partition("\n## ")
    shape = shape_section(path.removeprefix("thresher "))
    return f"{prose.rstrip()}\n\n{shape}{chr(10) if shape else ''}{heading.lstrip(chr(10))}{following}"


def _inserted(sections: dict[str, str], path: str, text: str) -> dict[str, str]:
    """Return sections with one more, behind the last of the same group; at the end where it has no group."""
    group = path.rpartition(" ")[0]
    alike = [other for other in sections if group != "thresher" and other.startswith(f"{group} ")]
    last = alike[-1] if alike else next(reversed(sections), "")
    found: dict[str, str] = {}
    for other, own in sections.items():
        found[other] = own
        if other == last:
            # What follows the last section of a group is the heading of the next.
            before, heading, following = own.partition("\n## ")
            found[other] = before.rstrip("\n") + "\n\n"
            found[path] = text + (f"{heading}{following}" if heading else "")
    return found or {path: text}


def _example(command: Any) -> str:
    return f"\n```\n{(command.epilog or '').removeprefix('Example: ')}\n```\n" if command.epilog else ""


def walk(command: Any, path: str) -> list[tuple[str, Any]]:
    """Return every command that can be run, with its words."""
    if hasattr(command, "commands"):
        return [found for name, inner in command.commands.items() for found in walk(inner, f"{path} {name}")]
    return [(path, command)]


def _path(heading: str, known: dict[str, Any]) -> str:
    """Return the words of the command that a heading is about."""
    words = heading.split()
    for length in range(len(words), 1, -1):
        if " ".join(words[:length]) in known:
            return " ".join(words[:length])
    raise ValueError(f"COMMANDS.md has a section for what is no command: {heading}")


def usage(path: str, command: Any) -> str:
    """Return a command with its arguments."""
    return " ".join([path, *map(_argument, _parameters(command, "argument"))])


def options(command: Any) -> str:
    """Return the table of a command's options, but for those that all have; nothing where there is none."""
    rows = [
        f"| `{_option(found)}` | {_cell(found.help)}{_default(found)} |\n"
        for found in _parameters(command, "option")
        if found.opts[0] not in _EVERYWHERE and not getattr(found, "hidden", False)
    ]
    return "\n| option | meaning |\n| --- | --- |\n" + "".join(rows) if rows else ""


def _parameters(command: Any, kind: str) -> list[Any]:
    return [found for found in command.params if found.param_type_name == kind]


def _argument(found: Any) -> str:
    name = found.metavar or found.name.upper()
    more = "..." if found.nargs == -1 and "..." not in name else ""
    return name + more if found.required or name.startswith("[") else f"[{name}{more}]"


def _option(found: Any) -> str:
    """Return an option with what follows it; one that switches something off is shown as it is written."""
    if found.is_flag:
        return str(found.opts[0])
    kind = str(found.type_descriptor.annotation)
    return f"{found.opts[0]} {found.metavar or next((name for part, name in _NAMES.items() if part in kind), 'TEXT')}"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _default(found: Any) -> str:
    value = found.default
    plain = isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""
    return f" Default: `{value}`." if plain else ""

"""The JSON objects of commands, written out from their types."""

import inspect
import re
import textwrap
import types
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from msgspec import Struct

from thresher.api.crawl_summary import CrawlSummary
from thresher.cli.json_shapes import SAME_AS, SHAPES, VARIANTS

_NAMES = {str: "string", int: "int", float: "float", bool: "bool", type(None): "null", Any: "any"}
_WIDTH = 118
_PROSE = 128


def shape_section(command: str) -> str:
    """Return the Markdown about what a command prints with `--json`, empty where its type is not known.

    >>> print(shape_section("harvest"))
    With `--json`: as for `crawl`.
    <BLANKLINE>
    """
    if command in SAME_AS:
        return f"With `--json`: as for `{SAME_AS[command]}`.\n"
    if command not in SHAPES:
        return ""
    parts: list[str] = []
    for kind, words in zip(SHAPES[command], VARIANTS.get(command, ("",)), strict=True):
        with_word = " or ".join(f"`{word}`" for word in words.split())
        heading = f"With `--json`{' and ' if with_word else ''}{with_word}:"
        # Lines break between keys only.
        whole = shape(kind).replace(": ", ":\0").replace(" | ", "\0|\0")
        written = textwrap.fill(whole, _WIDTH, subsequent_indent=" ", break_long_words=False).replace("\0", " ")
        parts.append(f"{heading}\n\n```\n{written}\n```\n\n{meaning(kind)}\n")
    return "\n".join(parts)


def shape(kind: Any, inside: bool = False) -> str:
    """Return a type as JSON would show it; keys with a question mark may be missing. A crawl `inside` is not repeated.

    >>> shape(list[dict[str, float | None]])
    '[{string: float | null}]'
    >>> shape(tuple[float, float])
    '[float, float]'
    """
    if inside and kind is CrawlSummary:
        return "{…crawl}"
    if _is_object(kind):
        return "{" + ", ".join([*_inherited(kind), *(_key(kind, name) for name in _own(kind))]) + "}"
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return " | ".join(shape(part, inside) for part in inner)
    if origin is NotRequired:
        return shape(inner[0], inside)
    if origin in (list, Sequence) or (origin is tuple and inner[1:] == (...,)):
        return f"[{shape(inner[0], inside)}]"
    if origin is Literal or (inspect.isclass(kind) and issubclass(kind, StrEnum)):
        return "string"
    if inspect.isclass(kind) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return f"[{', '.join(kind._fields)}]"
    if origin is tuple:
        return f"[{', '.join(map(shape, inner))}]"
    if origin in (dict, Mapping):
        return "{" + f"{shape(inner[0])}: {shape(inner[1], inside)}" + "}" if inner[1] is not Any else "{…}"
    return _NAMES[kind]


def meaning(kind: Any) -> str:
    """Return what is to be known about the keys of an object and of the objects inside it."""
    inside = [_filled(f"- `{path}`: {_said(inner)}", "  ") for path, inner in _objects(kind)]
    return "\n".join([_filled(_said(kind)), *([""] if inside else []), *inside])


def _said(kind: Any) -> str:
    return re.sub(r"\bNone\b", "null", " ".join((inspect.getdoc(kind) or "").split()))


def _filled(text: str, indent: str = "") -> str:
    return textwrap.fill(text, _PROSE, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _objects(kind: Any, path: str = "") -> list[tuple[str, Any]]:
    """Return the types of the objects inside an object with the keys that lead to them, each type once."""
    found: dict[Any, str] = {}
    for name in _own(kind):
        for inner in _inner(_hints(kind)[name]):
            own = f"{path}.{name}" if path else name
            if inner is not CrawlSummary:
                found.setdefault(inner, own)
                for deeper_path, deeper in _objects(inner, own):
                    found.setdefault(deeper, deeper_path)
    return [(own, inner) for inner, own in found.items()]


def _inner(kind: Any) -> list[Any]:
    return [kind] if _is_object(kind) else [found for part in get_args(kind) for found in _inner(part)]


def _is_object(kind: Any) -> bool:
    return is_typeddict(kind) or (inspect.isclass(kind) and issubclass(kind, Struct))


def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _inherited(kind: Any) -> list[str]:
    return ["…crawl"] if kind is not CrawlSummary and _hints(CrawlSummary).keys() <= _hints(kind).keys() else []


def _own(kind: Any) -> list[str]:
    return [name for name in _hints(kind) if not (_inherited(kind) and name in _hints(CrawlSummary))]


def _key(kind: Any, name: str) -> str:
    hint = _hints(kind)[name]
    optional = "?" if get_origin(hint) is NotRequired else ""
    return f"{name}{optional}: {shape(hint, inside=True)}"

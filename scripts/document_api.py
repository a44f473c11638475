"""docs/API.md: what `import thresher` exports, from the docstrings."""

import inspect
import re
from functools import cached_property
from pathlib import Path
from typing import Any

import thresher
from thresher.api.answers import Answers, Lesson
from thresher.api.archetypes import Archetypes
from thresher.api.browsing import Browsing
from thresher.api.crawls import Crawls
from thresher.api.morning_report import MorningReport
from thresher.api.organised import DedupeResult, FilterResult, SplitResult, UndoneStep
from thresher.api.peers import AskedPeer, Peer, PeerModel, Peers, UsedModels
from thresher.api.reports import Interrupted
from thresher.api.saved_searches import SavedSearches
from thresher.api.sites import Sites, SitesReport
from thresher.api.topics import Topics
from thresher.api.users import User, Users

_INTRO = Path(__file__).with_name("api_intro.md")
PARTS = (
    *(Topics, Crawls, Archetypes, Sites, SitesReport, Answers, Lesson, SavedSearches, Browsing),
    *(Peers, Peer, PeerModel, AskedPeer, UsedModels, Users, User),
    *(SplitResult, FilterResult, DedupeResult, UndoneStep, MorningReport, Interrupted),
)
"""What a portal gives and raises besides; these are not exported."""

_MODULES = re.compile(r"\b(?:[a-z_]\w*\.)+([A-Z]\w*)")
_DOCTEST = re.compile(r"^>>> (?:.+\n?)+", re.MULTILINE)


def api_document() -> str:
    """Return the whole document."""
    names = [name for name in thresher.__all__ if name != "__version__"]
    found = {name: getattr(thresher, name) for name in names}
    at = names.index("Portal") + 1
    ordered = {name: found[name] for name in names[:at]} | {part.__name__: part for part in PARTS} | found
    return _INTRO.read_text("utf-8") + "".join(f"\n{_about(name, value)}" for name, value in ordered.items())


def _about(name: str, found: Any) -> str:
    if not inspect.isclass(found):
        return _section("##", name, found, prose(found))
    parts = [f"## `{name}`\n\n{prose(found)}"]
    for member, value in _members(found):
        inner = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if member.startswith("_") or not getattr(inner, "__doc__", None):
            continue
        if isinstance(value, property | cached_property):
            parts.append(f"### `{name}.{member}`\n\n{prose(value)}")
        elif inspect.isfunction(inner):
            parts.append(_section("###", f"{name}.{member}", getattr(found, member), prose(inner)))
    return "\n".join(parts)


def _members(found: Any) -> list[tuple[str, Any]]:
    """Return the members of a class, then those of its bases in the API."""
    bases = [base for base in found.__mro__[1:] if base.__module__.startswith("thresher.api.")]
    names = {name: value for kind in (*reversed(bases), found) for name, value in vars(kind).items()}
    return sorted(names.items(), key=lambda item: item[0] not in vars(found))


def _section(level: str, name: str, function: Any, text: str) -> str:
    return f"{level} `{name}`\n\n```python\n{name}{signature(function)}\n```\n\n{text}"


class _Written:
    """An annotation that is shown as it would be written in a module that imports everything."""

    def __init__(self, annotation: Any) -> None:
        text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
        self._text = _MODULES.sub(r"\1", text.replace("'", "")).replace("NoneType", "None")

    def __repr__(self) -> str:
        return self._text


def signature(function: Any) -> str:
    """Return the parameters of a function, without the names of modules.

    >>> def made(path: Path, *, number: "int | None" = None, name: str = "") -> Path: ...
    >>> signature(made)
    "(path: Path, *, number: int | None = None, name: str = '') -> Path"
    """
    found = inspect.signature(function)
    parameters = [
        one if one.annotation is one.empty else one.replace(annotation=_Written(one.annotation))
        for one in found.parameters.values()
        if one.name != "self"
    ]
    returned = found.return_annotation
    shown = returned if returned is found.empty else _Written(returned)
    return str(found.replace(parameters=parameters, return_annotation=shown))


def prose(found: Any) -> str:
    """Return a docstring as Markdown; examples become blocks of code."""
    text = inspect.cleandoc(found.__doc__ or "")
    return _DOCTEST.sub(lambda example: f"```python\n{example[0].rstrip()}\n```\n", text).rstrip() + "\n"

"""Looks up webs by name: `wikispeedia`, `webkb-cornell`, `generated(pages=5000;seed=3)`, `warc:crawl.warc.gz`.

Each file in this folder declares its own (`WebKind`); other packages can add more with an entry point in the group
`thresher.webs`.
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from thresher.bench.webs.web import BenchWeb, Collection, WebKind
from thresher.errors import InputError, PluginError
from thresher.parameters import did_you_mean, fitted, parse, taken, written
from thresher.registry import Registry

WEBS: Final = Registry(WebKind, package="thresher.bench.webs", group="thresher.webs", noun="web")

KEPT = 2
"""Number of webs that stay open in a process."""

_GIVEN: Final = frozenset(["data", "member"])
_NEXT: Final = re.compile(r";(?=\w+=)")


class Parsed(NamedTuple):
    """The parsed name of a web: its kind, the member of a family ("" for none), and its parameters."""

    kind: WebKind
    member: str
    parameters: dict[str, str]

    @property
    def name(self) -> str:
        """The name of the web, independent of the order of its parameters."""
        own = f"{self.kind.name}-{self.member}" if self.member else self.kind.name
        subject = subject_of(self.kind)
        if subject not in self.parameters:
            return written(own, self.parameters)
        others = [f"{key}={self.parameters[key]}" for key in sorted(self.parameters) if key != subject]
        return ";".join([f"{own}:{self.parameters[subject]}", *others])


def web_names() -> list[str]:
    """Return the names of the webs that need no parameter."""
    return [name for kind in WEBS.all().values() if not subject_of(kind) for name in expanded(kind.name)]


def expanded(name: str) -> list[str]:
    """Return the webs that a name stands for: `webkb` is each of its universities in turn.

    >>> expanded("webkb")[0], expanded("wikispeedia")
    ('webkb-cornell', ['wikispeedia'])
    """
    kind = WEBS.all().get(name)
    return [f"{name}-{member}" for member in kind.members] if kind and kind.members else [name]


def kind_of(name: str) -> WebKind | None:
    """Return the kind of a web or family by name, or None if it no longer exists, as in an old record.

    >>> kind_of("webkb-cornell").name, kind_of("generated(pages=500)").name, kind_of("gone")
    ('webkb', 'generated', None)
    """
    try:
        return WEBS.all().get(name) or parsed(name).kind
    except (InputError, PluginError):
        return None


def parsed(name: str) -> Parsed:
    """Parse the name of a web; raises InputError if there is no such web."""
    kind = WEBS.all().get(name.partition(":")[0])
    if kind is not None and ":" in name:
        subject = subject_of(kind)
        value, *others = _NEXT.split(name.partition(":")[2])
        if not subject:
            raise InputError(f"The web '{kind.name}' takes nothing after a colon.", f"Write for example {kind.name}.")
        return Parsed(kind, "", {subject: value, **dict(other.split("=", 1) for other in others)})
    word, parameters = parse(name)
    for kind in WEBS.all().values():
        member = kind.member_of(word)
        if word == kind.name or member is not None:
            return Parsed(kind, member or "", parameters)
    known = [*web_names(), *WEBS.all()]
    raise InputError(
        f"There is no web '{name}'.",
        did_you_mean(word, known) or f"There are: {', '.join(web_names())}, warc:FILE.",
    )


def subject_of(kind: WebKind) -> str:
    """Return the required parameter of a web, "" if there is none.

    >>> subject_of(WEBS.named("warc")), subject_of(WEBS.named("webkb"))
    ('file', '')
    """
    needed = (key for key, found in taken(kind.opens).items() if key not in _GIVEN and found.default is found.empty)
    return next(needed, "")


def needs_data(kind: WebKind) -> bool:
    """Return whether a web needs a collection in the data folder."""
    return "data" in taken(kind.opens)


@lru_cache(maxsize=KEPT)
def find(name: str, data: Path | None = None) -> BenchWeb:
    """Return a web by name; `data` is the folder of the collections, which some webs need.

    Raises InputError if there is no such web or the name is incomplete, PluginError if a parameter is wrong.
    """
    said = parsed(name)
    kind, subject = said.kind, subject_of(said.kind)
    free = {key: found for key, found in taken(kind.opens).items() if key not in _GIVEN}
    arguments = fitted(f"web '{kind.name}'", said.parameters, free)
    if kind.members and not said.member:
        raise InputError(f"'{name}' stands for several webs.", f"Choose one of them: {', '.join(expanded(name))}.")
    if subject and subject not in arguments:
        raise InputError(f"The web '{name}' needs a {subject}.", f"Write {kind.name}:{subject.upper()}.")
    if kind.members:
        arguments["member"] = said.member
    if needs_data(kind):
        if data is None:
            raise InputError(
                f"The web '{name}' needs the folder of the datasets.", "Set it with --data or THRESHER_DATA."
            )
        arguments["data"] = data
    return replace(kind.opens(**arguments), name=said.name, judged=not kind.labelled)


def collection_of(name: str, data: Path | None = None) -> Collection:
    """Return the collection of a web, for another process to read."""
    return find(name, data).collection

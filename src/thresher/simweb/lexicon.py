"""The words and sentence templates of webs in real English, read from the package's files.

A theme has nouns: a few (`key`) that its adjectives (`quality`) and predicates (`does`) fit, many others (`thing`), and
some without a plural (`matter`). It also has verbs with their objects (`act`), and `person`, `place` and `time`. Each
entry is a tuple of its forms. German themes are whole sentences.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from msgspec import Struct

from thresher.simweb.inflection import participle, past, plural

Forms = tuple[str, ...]
Template = tuple[str, ...]
"""Text and slots alternating, beginning and ending with text."""

SLOTS: Final = {
    "key": ("key", 0),
    "keys": ("key", 1),
    "thing": ("thing", 0),
    "things": ("thing", 1),
    "matter": ("matter", 0),
    "act": ("act", 0),
    "acting": ("act", 1),
    "acted": ("act", 2),
    "quality": ("quality", 0),
    "person": ("person", 0),
    "people": ("person", 1),
    "does": ("does", 0),
    "place": ("place", 0),
    "time": ("time", 0),
}
"""For each slot of a template, the kind of word and its form."""

BREADTH: Final = 3
DEPTH: Final = 2
TOPICS: Final = ("home_energy", "food", "outdoors")

_KEYS: Final = {
    "key": "keys",
    "thing": "things",
    "matter": "matters",
    "act": "acts",
    "quality": "qualities",
    "person": "people",
    "does": "does",
    "place": "places",
    "time": "times",
}
_INFLECTED: Final[Mapping[str, tuple[Callable[[str], str], ...]]] = {
    "key": (plural,),
    "thing": (plural,),
    "act": (participle, past),
    "person": (plural,),
}


class Theme(Struct, frozen=True):
    """A subject for pages: its words by kind, names of sites, and the sentences and titles of a foreign theme."""

    name: str
    words: dict[str, tuple[Forms, ...]]
    brands: tuple[str, ...]
    sentences: tuple[Template, ...] = ()
    titles: tuple[Template, ...] = ()


class Manner(Struct, frozen=True):
    """How a language composes texts: templates by purpose, and lists of names, months and the like."""

    templates: dict[str, tuple[Template, ...]]
    lists: dict[str, tuple[str, ...]]


class Lexicon(Struct, frozen=True):
    """All themes: families of topics, top-level topic first; interests and manners by language."""

    topics: tuple[tuple[Theme, ...], ...]
    interests: dict[str, tuple[Theme, ...]]
    manners: dict[str, Manner]


@cache
def lexicon() -> Lexicon:
    """Return the lexicon, which is read once."""
    german = _read("german")
    return Lexicon(
        topics=tuple(tuple(_theme(theme) for theme in _read(name)["topics"]) for name in TOPICS),
        interests={
            "en": tuple(_theme(theme) for theme in _read("interests")["interests"]),
            "de": tuple(_foreign(theme) for theme in german.pop("interests")),
        },
        manners={"en": _manner(_read("forms")), "de": _manner(german)},
    )


def parse(text: str) -> Template:
    """Return a template as alternating text and slots.

    >>> parse("How to [act] a(n) [thing]")
    ('How to ', 'act', ' a(n) ', 'thing', '')
    """
    return tuple(part for piece in text.split("[") for part in (piece.split("]", 1) if "]" in piece else [piece]))


def _read(name: str) -> dict[str, Any]:
    file = files("thresher.simweb").joinpath("words", "english", f"{name}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _entries(text: str) -> list[str]:
    return [" ".join(entry.split()) for entry in text.split(",") if entry.strip()]


def _theme(table: dict[str, Any]) -> Theme:
    words = {kind: tuple(_forms(kind, entry) for entry in _entries(table[key])) for kind, key in _KEYS.items()}
    return Theme(table["name"], words, tuple(_entries(table["brands"])))


def _forms(kind: str, entry: str) -> Forms:
    """Return all forms of an entry; forms given in the entry are irregular."""
    if kind == "act" and "/" in entry:
        verb, _, rest = entry.partition(" ")
        return tuple(f"{form} {rest}" for form in verb.split("/"))
    first, *given = entry.split(":")
    return (first, *(given or (inflect(first) for inflect in _INFLECTED.get(kind, ()))))


def _foreign(table: dict[str, Any]) -> Theme:
    sentences, titles = (tuple(map(parse, table[key])) for key in ("sentences", "titles"))
    return Theme(table["name"], {}, tuple(table["brands"]), sentences, titles)


def _manner(table: dict[str, Any]) -> Manner:
    templates = {key: tuple(map(parse, value)) for key, value in table.items() if isinstance(value, list)}
    lists = {key: tuple(_entries(value)) for key, value in table.items() if isinstance(value, str)}
    return Manner(templates, lists)

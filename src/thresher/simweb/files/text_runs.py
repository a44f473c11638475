"""The text of a file before it has a format: paragraphs of runs, some of which are links."""

from typing import NamedTuple

from msgspec import Struct


class TextRun(NamedTuple):
    """A piece of text; with `href` it is a link."""

    text: str
    href: str = ""


class Draft(Struct, frozen=True):
    """The content of a file: its title, author, language and paragraphs."""

    title: str
    paragraphs: list[list[TextRun]]
    author: str = ""
    language: str = ""

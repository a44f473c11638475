"""Prints text written by strangers safely on a terminal.

Titles, addresses and topic names come from others. They are shown literally: they are never parsed as markup, and
cannot move the cursor, colour the screen, open a link or change the text direction.
"""

import re
from collections.abc import Iterable
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

_BLANKS: Final = re.compile(r"[\t-\r\x85\u2028\u2029]+")
_ACTIVE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that terminals act on or cannot show: controls, direction changes, lone surrogates."""


def harmless(text: str) -> str:
    """Return a text as one line without anything that a terminal would act on.

    Line ends and tabs become spaces; what a terminal would act on becomes U+FFFD.

    >>> harmless("two\\nlines"), harmless("\\x1b[31mred")
    ('two lines', '\ufffd[31mred')
    """
    return _ACTIVE.sub("\ufffd", _BLANKS.sub(" ", text))


class Screen:
    """Prints lines on a terminal or into a pipe; uses colours only on a terminal and never breaks an address."""

    def __init__(self, stderr: bool = False) -> None:
        self.rich = Console(stderr=stderr, soft_wrap=True, highlight=False, markup=False, emoji=False)
        """The underlying console, for live displays."""

    @property
    def is_terminal(self) -> bool:
        """Whether output goes to a terminal, not to a pipe or a file."""
        return self.rich.is_terminal

    def print(self, *parts: str | Text) -> None:
        """Print parts as one line, without separators; styled parts come from `bold` and the like.

        On a terminal, long lines wrap, but never inside a word or a bold part, which may be a command to copy.
        """
        line = Text()
        breaks: list[int] = []
        for part in parts:
            piece = part if isinstance(part, Text) else Text(harmless(part))
            if piece.style != "bold":
                breaks += [len(line) + place for place in _after_spaces(piece.plain)]
            line.append_text(piece)
        line.rstrip()
        for row in line.divide(_chosen(line.plain, breaks, self.rich.width) if self.is_terminal else []):
            self.rich.print(row)


def wrapped(line: Text, width: int) -> list[Text]:
    """Return a line in rows of a given width, broken only after spaces.

    >>> [row.plain for row in wrapped(Text("one two three"), 8)]
    ['one two', 'three']
    """
    rows = list(line.divide(_chosen(line.plain, _after_spaces(line.plain), width)))
    for row in rows:
        row.rstrip()
    return rows


def _after_spaces(text: str) -> list[int]:
    return [place for place, character in enumerate(text, 1) if character == " "]


def _chosen(text: str, breaks: Iterable[int], width: int) -> list[int]:
    """Return which of the possible breaks are needed to fit a text into lines of a given width.

    >>> _chosen("one two three", [4, 8], 8), _chosen("one two three", [4, 8], 20)
    ([8], [])
    """
    chosen: list[int] = []
    start, last = 0, 0
    for end in [*breaks, len(text)]:
        if cell_len(text[start:end].rstrip()) > width and last > start and text[start:last].strip():
            chosen.append(last)
            start = last
        last = end
    return chosen


def bold(text: object) -> Text:
    """Return bold text."""
    return Text(harmless(str(text)), "bold")


def dim(text: object) -> Text:
    """Return dimmed text."""
    return Text(harmless(str(text)), "dim")


def green(text: object) -> Text:
    """Return green text, for success."""
    return Text(harmless(str(text)), "green")


def yellow(text: object) -> Text:
    """Return yellow text, for warnings."""
    return Text(harmless(str(text)), "yellow")


def red(text: object) -> Text:
    """Return red text, for errors."""
    return Text(harmless(str(text)), "red")

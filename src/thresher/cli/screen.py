"""A person's terminal, as a place for text that others wrote.

Titles, addresses and names of topics come from strangers. They are shown as they are: nothing in them is markup, and
nothing in them can move the cursor, colour the screen, open a link or turn the direction of writing.
"""

import re
from collections.abc import Iterable
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

_BLANKS: Final = re.compile(r"[\t-\r\x85\u2028\u2029]+")
_ACTIVE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a terminal acts on, or that no terminal can show: controls, changes of direction, halves of pairs."""


def harmless(text: str) -> str:
    """Return a text as one line that a terminal only shows.

    Line ends and tabs become spaces; what a terminal would act on becomes U+FFFD.

    >>> harmless("two\\nlines"), harmless("\\x1b[31mred")
    ('two lines', '\ufffd[31mred')
    """
    return _ACTIVE.sub("\ufffd", _BLANKS.sub(" ", text))


class Screen:
    """Prints lines on a terminal or into a pipe; colours only on a terminal, and never breaks an address."""

    def __init__(self, stderr: bool = False) -> None:
        self.rich = Console(stderr=stderr, soft_wrap=True, highlight=False, markup=False, emoji=False)
        """The console below, for displays that change while they are shown."""

    @property
    def is_terminal(self) -> bool:
        """Whether a person looks at it, rather than a pipe or a file."""
        return self.rich.is_terminal

    def print(self, *parts: str | Text) -> None:
        """Print one line, made of its parts with nothing between them; styled parts come from `bold` and the like.

        On a terminal a line that is too long goes on in the next, but neither a word nor a bold part, which may be a
        command to copy, is broken.
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


def _after_spaces(text: str) -> list[int]:
    return [place for place, character in enumerate(text, 1) if character == " "]


def _chosen(text: str, breaks: Iterable[int], width: int) -> list[int]:
    """Return the breaks that are needed for a text to fit into lines of a width.

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
    """Return a part of a line in bold type."""
    return Text(harmless(str(text)), "bold")


def dim(text: object) -> Text:
    """Return a part of a line that stays in the background."""
    return Text(harmless(str(text)), "dim")


def green(text: object) -> Text:
    """Return a part of a line that says all is well."""
    return Text(harmless(str(text)), "green")


def yellow(text: object) -> Text:
    """Return a part of a line that asks for attention."""
    return Text(harmless(str(text)), "yellow")


def red(text: object) -> Text:
    """Return a part of a line that says something is wrong."""
    return Text(harmless(str(text)), "red")

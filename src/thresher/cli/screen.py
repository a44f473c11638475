"""A person's terminal, as a place for text that others wrote.

Titles, addresses and names of topics come from strangers. They are shown as they are: nothing in them is markup, and
nothing in them can move the cursor, colour the screen, open a link or turn the direction of writing.
"""

import re
from typing import Final

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
        """Print one line, made of its parts with nothing between them; styled parts come from `bold` and the like."""
        line = Text()
        for part in parts:
            line.append_text(part if isinstance(part, Text) else Text(harmless(part)))
        line.rstrip()
        self.rich.print(line)


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

"""Prints search results, wrapped to the width of the terminal or to 80 columns."""

import textwrap
from collections.abc import Iterable
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from thresher.cli.screen import Screen, bold, dim, harmless
from thresher.search.results import Result, Snippet

NARROWEST: Final = 40
WIDEST: Final = 100
_INDENT: Final = "     "
_SNIPPET_LINES: Final = 2


def width_of(out: Screen) -> int:
    """Return the line width for results."""
    return max(NARROWEST, min(WIDEST, out.rich.width if out.is_terminal else 80))


def print_results(out: Screen, results: Iterable[Result], first: int, why: bool) -> None:
    """Print results, numbered from `first`; with `why`, also the parts of each score."""
    width = width_of(out)
    for number, result in enumerate(results, first):
        score = f"{result.score:.2f}"
        title = shortened(result.title or "(no title)", width - 5 - len(score) - 2)
        gap = " " * (width - 5 - cell_len(title) - len(score))
        out.print(f"{number:3}. ", bold(title), gap, dim(score))
        out.print(_INDENT, _about(result, width - len(_INDENT)))
        for line in snippet_lines(result.snippet, width - len(_INDENT)):
            out.print(_INDENT, line)
        address = result.url if not out.is_terminal else middle(result.url, width - len(_INDENT))
        out.print(_INDENT, Text(harmless(address), "cyan"))
        if why:
            for told in textwrap.wrap(sum_of(result.parts, result.score), width - len(_INDENT)):
                out.print(_INDENT, dim(told))


def _about(result: Result, width: int) -> Text:
    sure = "" if result.confidence is None else f" {result.confidence:.2f}"
    topic = result.topic if result.topic is not None else "rejected" if result.confidence is not None else "not judged"
    more = f" · {result.more} more from this site" if result.more else ""
    more += f" · {result.repeats}  nearly identical" if result.repeats else ""
    site = shortened(result.site, width // 2)
    room = width - cell_len(site) - cell_len(sure) - cell_len(more) - 3
    line = Text(harmless(shortened(topic, max(8, room))), "green")
    line.append(harmless(f"{sure} · {site}{more}"), "dim")
    line.truncate(width, overflow="ellipsis")
    return line


def print_wrapped(out: Screen, text: str) -> None:
    """Print dimmed text, wrapped to the same width as results."""
    for line in textwrap.wrap(harmless(text), width_of(out)):
        out.print(dim(line))


def sum_of(parts: dict[str, float], score: float) -> str:
    """Return a score as the sum of its parts.

    >>> sum_of({"text": 0.6, "authority": 0.05}, 0.65)
    'text 0.600 + authority 0.050 = 0.650'
    """
    told = " + ".join(f"{name} {points:.3f}" for name, points in parts.items())
    return f"{told} = {score:.3f}".replace("+ -", "- ").replace(" -0.", " −0.")


def snippet_lines(snippet: Snippet, width: int) -> list[Text]:
    """Return a snippet in at most two lines, with matching words in bold."""
    text = Text(harmless(snippet.text))
    for start, end in snippet.marked:
        text.stylize("bold yellow", start, end)
    lines: list[Text] = []
    while text and len(lines) < _SNIPPET_LINES:
        last = len(lines) + 1 == _SNIPPET_LINES
        end = _break(text.plain, width - (2 if last else 0))
        rest = text[end:] if end < len(text) else Text()
        line = text[:end]
        line.rstrip()
        if last and rest.plain.strip():
            line.append(" …")
        lines.append(line)
        text = rest[len(rest.plain) - len(rest.plain.lstrip()) :] if rest.plain.strip() else Text()
    return lines


def _break(text: str, width: int) -> int:
    """Return where the first line of a text ends."""
    if cell_len(text) <= width:
        return len(text)
    fits = len(set_cell_size(text, width).rstrip())
    while cell_len(text[:fits]) > width:
        fits -= 1
    blank = text.rfind(" ", 0, fits + 1)
    return blank if blank > 0 else max(1, fits)


def shortened(text: str, width: int) -> str:
    """Return a text as one line of at most `width` columns.

    >>> shortened("A long title", 8)
    'A long …'
    """
    plain = harmless(" ".join(text.split()))
    if cell_len(plain) <= width:
        return plain
    return f"{plain[: _break(plain, width - 2)].rstrip()} …"


def middle(text: str, width: int) -> str:
    """Return an address, shortened in the middle if it is too long for a line.

    >>> middle("http://a.test/one/two/three", 20)
    'http://a.test…/three'
    """
    if len(text) <= width:
        return text
    end = (width - 1) // 3
    return f"{text[: width - 1 - end]}…{text[len(text) - end :]}"

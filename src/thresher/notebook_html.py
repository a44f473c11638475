"""HTML that notebooks show for results: tables and links in which everything is escaped."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

_LINKED: Final = ("http://", "https://")


class Html(str):
    """Text that is HTML already, and is not escaped again."""


def link(url: str, text: str = "") -> Html:
    """Return a link with a text, by default the address; only http and https addresses become links.

    >>> link("http://a.test/?b&c", "<b>")
    '<a href="http://a.test/?b&amp;c" rel="noreferrer">&lt;b&gt;</a>'
    >>> link("javascript:alert(1)")
    'javascript:alert(1)'
    """
    shown = escape(text or url)
    return Html(f'<a href="{escape(url)}" rel="noreferrer">{shown}</a>' if url.startswith(_LINKED) else shown)


def marked(text: str, pairs: Iterable[tuple[int, int]]) -> Html:
    """Return a text with its parts between (start, end) pairs marked.

    >>> marked("a quiet pump", [(2, 7)])
    'a <mark>quiet</mark> pump'
    """
    made, at = "", 0
    for start, end in pairs:
        made += f"{escape(text[at:start])}<mark>{escape(text[start:end])}</mark>"
        at = end
    return Html(made + escape(text[at:]))


def paragraph(*parts: str) -> Html:
    """Return a paragraph with a line for each part that is not empty."""
    return Html(f"<p>{'<br>'.join(filter(None, map(_cell, parts)))}</p>")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    """Return a table, or nothing if there are no rows.

    >>> table(["topic", "pages"], [["R&D", "3"]])
    '<table><tr><th>topic</th><th>pages</th></tr><tr><td>R&amp;D</td><td>3</td></tr></table>'
    >>> table(["topic", "pages"], [])
    ''
    """
    body = "".join(f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in rows)
    above = "".join(f"<th>{escape(name)}</th>" for name in head)
    return Html(f"<table><tr>{above}</tr>{body}</table>" if body else "")


def _cell(text: str) -> str:
    return text if isinstance(text, Html) else escape(text)

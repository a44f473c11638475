"""Kinds of HTML elements, identified by the parser's tag numbers.

Comparing numbers is faster than comparing names, which are created again for every node.
"""

from collections.abc import Iterable
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

UNKNOWN: Final = 1 << 16
"""Numbers from here on are for names that the parser does not know: custom elements, parts of formulas."""


def numbers(names: Iterable[str]) -> frozenset[int]:
    """Return the parser's numbers for known element names; unknown ones have another number on every page."""
    parser = LexborHTMLParser("")
    numbers = frozenset(parser.create_node(name).tag_id for name in names)
    assert max(numbers) < UNKNOWN
    return numbers


def _number_of_node(markup: str) -> int:
    """Return the parser's number for the first node inside the page's body."""
    body = LexborHTMLParser(f"<body>{markup}").body
    assert body is not None
    assert body.first_child is not None
    return body.first_child.tag_id


def number(name: str) -> int:
    """Return the parser's number for the name of an element."""
    (only,) = numbers([name])
    return only


TEXT: Final = _number_of_node("text")

SILENT: Final = numbers(["br", "col", "embed", "hr", "input", "source", "track", "wbr"]) | {_number_of_node("<!---->")}
"""Elements without visible text, and comments."""

UNSEEN: Final = numbers(
    ["audio", "canvas", "datalist", "desc", "iframe", "noembed", "noframes", "noscript", "rp", "script", "select"]
).union(numbers(["style", "template", "title", "video"]))
"""Elements whose content browsers do not show, and form options."""

INSIDE_WORDS: Final = numbers(["b", "big", "em", "font", "i", "mark", "s", "small", "strong", "sub", "u", "wbr"])
"""Two texts separated only by the borders of such elements are one word."""

PRESENTATIONAL: Final = numbers(
    ["b", "big", "center", "em", "font", "i", "mark", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u"]
)
"""Elements that change the look of text without grouping it."""

_STRUCTURE: Final = (
    *("article", "aside", "blockquote", "dd", "details", "div", "dl", "dt", "figure", "footer", "form", "frameset"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "main", "map", "menu", "nav", "noframes", "ol", "p", "pre"),
    *("section", "table", "td", "th", "tr", "ul"),
)
STRUCTURE: Final = {number(name): name for name in _STRUCTURE}
"""The names of the elements that structure a page, by their numbers."""

LINE_ENDS: Final = numbers(["br", "hr"])
"""Silent elements after which a new line begins."""

INLINE: Final = (
    PRESENTATIONAL
    | INSIDE_WORDS
    | numbers(
        ["a", "abbr", "acronym", "bdi", "bdo", "button", "cite", "code", "data", "del", "dfn", "img", "ins", "kbd"]
    )
    | numbers(
        ["label", "math", "meter", "mi", "mn", "mo", "ms", "mtext", "output", "q", "rb", "rt", "ruby", "samp", "svg"]
    )
    | numbers(["textarea", "time", "var"])
)
"""Inline elements, including unknown ones; all others start a new passage."""


def goes_on(node: LexborNode) -> bool:
    """Return whether a text continues with the word at the end of the text before it."""
    current = node
    while (before := current.prev) is None:
        above = current.parent
        if above is None or above.tag_id not in INSIDE_WORDS:
            return False
        current = above
    while not before.is_text_node:
        if before.tag_id not in INSIDE_WORDS:
            return False
        inside = before.last_child or before.prev
        if inside is None:
            return False
        before = inside
    return not before.is_empty_text_node

"""Finds the elements that a page does not show."""

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser

# The parser has no fixed numbers for these names, so the walk would not recognise them.
_NAMES: Final = ("annotation", "dialog", "metadata")
_SELECTOR: Final = '[hidden],[style*="none" i],annotation,dialog:not([open]),metadata'
_NOT_DISPLAYED: Final = re.compile(r"(?:^|;)\s*display\s*:\s*none\b", re.IGNORECASE)


def hidden_elements(tree: LexborHTMLParser) -> set[int]:
    """Return the ids of elements hidden by attributes or by their names, at least the outermost ones.

    >>> len(hidden_elements(LexborHTMLParser("<p hidden>a<p style='display: none'>b<p style='color: red'>c")))
    2
    """
    found = set()
    for node in tree.css(_SELECTOR):
        attributes = node.attributes
        if "hidden" in attributes or node.tag in _NAMES or _NOT_DISPLAYED.search(attributes.get("style") or ""):
            found.add(node.mem_id)
    return found

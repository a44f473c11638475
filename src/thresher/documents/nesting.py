"""The guard in front of the HTML parser: rejects pages that would take too much time or memory.

A standard-conforming parser takes quadratic time in three cases: deeply nested elements, whose stack it searches for
many tags; formatting that is never closed, which it reopens in every paragraph (17 KB can become two million nodes);
and tags with very many attributes, each compared with all before. The guard follows the tags of suspicious pages with a
small model of that stack, in linear time. Ordinary broken pages pass: unclosed paragraphs, list items and cells close
each other.
"""

import re
from typing import Final

from thresher.documents.open_elements import FORMATTING, RAW, OpenElements

MAX_TAGS: Final = 8000
"""A page with at most this many tags is cheap, however deep it is."""

MAX_DEPTH: Final = 512
"""Maximum nesting of elements in pages with more tags."""

MAX_REOPENED: Final = 300_000
"""Maximum number of formatting elements that the parser may have to reopen."""

MAX_ATTRIBUTES: Final = 5000
"""Maximum number of attributes of a tag."""

PARSED_TAGS: Final = 50_000
"""Maximum number of tags parsed in a page: a tree of a million elements takes half a gigabyte."""

_ATTRIBUTES: Final = r"""(?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])*+"""
_TAG: Final = re.compile(rf"<(?:!--(?:-?>|.*?(?:--!?>|\Z))|(/?)([a-zA-Z][^\s/>]*+)({_ATTRIBUTES}))", re.DOTALL)
# Runs are cut into short ones, each with room for less than _RUN / 2 attributes.
_RUN: Final = 64
_LONG_TAG: Final = re.compile(
    rf"""<[a-zA-Z](?:[^>"'=]{{1,{_RUN}}}+|=\s*+(?:"[^"]*+"|'[^']*+')?+|["']){{{2 * MAX_ATTRIBUTES // _RUN},}}+"""
)
_ATTRIBUTE: Final = re.compile(r"""[^\s/>"'=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+|["'=]""")
# Spelling out both cases is faster than a pattern that ignores case.
_FORMATTING: Final = "|".join("".join(f"[{char}{char.upper()}]" for char in name) for name in sorted(FORMATTING))
_FORMATTING_TAG: Final = re.compile(f"<(?:{_FORMATTING})(?![a-zA-Z])")

_MANY_TAGS: Final = re.compile(rf"(?:[^<]*+<){{{PARSED_TAGS + 1}}}")


def cut_tags(text: str) -> str:
    """Return a page up to the last tag that is parsed; the rest is not read.

    >>> len(cut_tags("<p>word" * 500_000)) == len("<p>word" * PARSED_TAGS)
    True
    """
    if text.count("<") <= PARSED_TAGS:
        return text
    return text[: _MANY_TAGS.match(text).end() - 1]  # type: ignore[union-attr]


def is_too_deep(text: str) -> bool:
    """Return whether a page must not be given to the parser.

    >>> is_too_deep("<p>one<p>two<li>three" * 5000), is_too_deep("<div>" * 100_000)
    (False, True)
    """
    tags = text.count("<")
    if tags > MAX_TAGS:
        return _exceeds(text)
    # Formatting is reopened after the element around it closes: at most all of it, once for each other start tag.
    if tags * tags > 4 * MAX_REOPENED:
        formatting = len(_FORMATTING_TAG.findall(text))
        if formatting * tags > MAX_REOPENED and formatting * (tags - text.count("</") - formatting) > MAX_REOPENED:
            return _exceeds(text)
    return len(text) > 2 * MAX_ATTRIBUTES and _has_endless_tag(text)


def _has_endless_tag(text: str) -> bool:
    return any(sum(1 for _ in _ATTRIBUTE.finditer(tag[0])) > MAX_ATTRIBUTES for tag in _LONG_TAG.finditer(text))


def _exceeds(text: str) -> bool:
    """Follow all tags of a page and return whether it exceeds a limit anywhere."""
    stack = OpenElements()
    reopened = at = 0
    while match := _TAG.search(text, at):
        at = match.end()
        slash, name, attributes = match.groups()
        if name is None:
            continue
        name = name.lower()
        if slash:
            stack.close(name)
        else:
            if len(attributes) > 3 * MAX_ATTRIBUTES and _has_endless_tag(match[0]):
                return True
            stack.open(name, attributes)
            if name in RAW and not stack.foreign:
                end = re.compile(f"</{name}[\\s/>]", re.IGNORECASE).search(text, at)
                at = end.start() if end else len(text)
        reopened += stack.formatting
        if stack.depth > MAX_DEPTH or reopened > MAX_REOPENED:
            return True
    return False

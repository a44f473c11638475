"""The guard before the HTML parser: pages that would cost it too much time or memory.

A parser after the standard does work that grows with the square of the page in three cases: elements nested deeply,
whose stack it searches for many a tag; formatting that is never closed, which it opens anew in every paragraph (17 KB
can become two million nodes); and tags with very many attributes, each compared with all before. The guard follows the
tags of suspicious pages with a small model of that stack, in linear time. Ordinary broken pages pass: unclosed
paragraphs, list items and cells end one another.
"""

import re
from collections import Counter
from typing import Final

from thresher.documents.open_elements import FORMATTING, RAW, OpenElements

MAX_TAGS: Final = 8000
"""Up to so many tags a page is cheap however deep it is."""

MAX_DEPTH: Final = 512
"""Elements inside of one another, in pages of more tags."""

MAX_REOPENED: Final = 300_000
"""Formatting elements that a page may make the parser open anew."""

MAX_ATTRIBUTES: Final = 5000
"""Attributes of one tag."""

PARSED_TAGS: Final = 50_000
"""Tags of a page that are parsed: a tree of a million elements takes half a gigabyte."""

_LONG_PAGE: Final = 100_000
_ATTRIBUTES: Final = r"""(?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])*+"""
_TAG: Final = re.compile(rf"<(?:!--(?:-?>|.*?(?:--!?>|\Z))|(/?)([a-zA-Z][^\s/>]*+)({_ATTRIBUTES}))", re.DOTALL)
_START_TAG: Final = re.compile(rf"<[a-zA-Z]({_ATTRIBUTES})")
_ATTRIBUTE: Final = re.compile(r"""[^\s/>"'=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+|["'=]""")
_NAME: Final = re.compile(r"<([a-zA-Z]+)")
_MANY_TAGS: Final = re.compile(rf"(?:[^<]*+<){{{PARSED_TAGS + 1}}}")
_LONG_TAG: Final = re.compile(r"<[a-zA-Z][^>]{4000}")


def cut_tags(text: str) -> str:
    """Return a page up to the last tag that is parsed; what lies behind it is not read.

    >>> len(cut_tags("<p>word" * 500_000)) == len("<p>word" * PARSED_TAGS)
    True
    """
    if text.count("<") <= PARSED_TAGS:
        return text
    return text[: _MANY_TAGS.match(text).end() - 1]  # type: ignore[union-attr]


def is_too_deep(text: str) -> bool:
    """Tell whether a page must not be given to the parser.

    >>> is_too_deep("<p>one<p>two<li>three" * 5000), is_too_deep("<div>" * 100_000)
    (False, True)
    """
    tags = text.count("<")
    # Formatting can at most be opened anew once for each pair of a formatting tag and another.
    if tags > MAX_TAGS or (tags * tags > 4 * MAX_REOPENED and tags * _formatting_tags(text) > MAX_REOPENED):
        return _exceeds(text)
    # Telling tags from their attributes takes longer than most pages are worth.
    return (len(text) > _LONG_PAGE or _LONG_TAG.search(text) is not None) and _has_endless_tag(text)


def _formatting_tags(text: str) -> int:
    return sum(number for name, number in Counter(_NAME.findall(text)).items() if name.lower() in FORMATTING)


def _has_endless_tag(text: str) -> bool:
    return any(
        len(attributes) > 3 * MAX_ATTRIBUTES and sum(1 for _ in _ATTRIBUTE.finditer(attributes)) > MAX_ATTRIBUTES
        for attributes in _START_TAG.findall(text)
    )


def _exceeds(text: str) -> bool:
    """Follow all tags of a page and tell whether it goes beyond a limit anywhere."""
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

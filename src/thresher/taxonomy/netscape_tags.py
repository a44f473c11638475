"""Tokenises bookmark files in the Netscape format in one pass, whatever they contain."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Final

from msgspec import Struct

# A quoted value may contain a bracket; an unclosed quote must not swallow the rest of the file.
_TAG: Final = re.compile(
    r"""<(/?)([a-zA-Z][a-zA-Z0-9]*+)((?:\s++[^\s>"'=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"']*+))?+)*+)[^>]*+>"""
)
_PLAIN_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*+)([^>]*+)>")
_START: Final = re.compile(r"<(?:!--|/?[a-zA-Z])")
_ATTRIBUTE: Final = re.compile(r"""([^\s>"'=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++)))?+""")


class Token(Struct, frozen=True):
    """A tag with its name in lower case, or a text if `tag` is empty."""

    tag: str
    closing: bool = False
    attributes: str = ""
    text: str = ""


def tokens(text: str) -> Iterator[Token]:
    """Yield the tags and texts of a file in order; comments are skipped.

    >>> [token.tag or token.text for token in tokens("<A HREF='x>y'>One<!-- two --></A>")]
    ['a', 'One', 'a']
    """
    pattern = _TAG
    told = position = 0
    while (start := _START.search(text, position)) is not None:
        if start[0] == "<!--":
            close = text.find("-->", start.end())
            end, token = (len(text) if close < 0 else close + 3), None
        else:
            found = pattern.match(text, start.start())
            if found is None and pattern is _TAG:
                # The quotes are not closed before the end of the file, nor would they be for later tags.
                pattern = _PLAIN_TAG
                found = pattern.match(text, start.start())
            if found is None:
                break
            end, token = found.end(), Token(found[2].lower(), bool(found[1]), found[3])
        if start.start() > told:
            yield Token("", text=text[told : start.start()])
        if token is not None:
            yield token
        told = position = end
    if told < len(text):
        yield Token("", text=text[told:])


def attributes(written: str) -> dict[str, str]:
    """Return attributes by name in lower case; of two with the same name, the first counts.

    >>> attributes(' HREF="http://a.test/?a&amp;b" private')
    {'href': 'http://a.test/?a&b', 'private': ''}
    """
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(written):
        found.setdefault(name.lower(), unescape(double or single or bare))
    return found

"""Links of a page while it is being read, and the addresses they lead to."""

from functools import lru_cache
from typing import Final

from thresher.types import Link
from thresher.web.urls import MAX_URL, canonical, origin_of

MAX_SPANS: Final = 12
"""Spans of enclosing elements kept for a link."""

MAX_ANCHOR: Final = 500
"""Characters of an anchor text."""

PRESENTATIONAL: Final = frozenset(["b", "big", "center", "em", "font", "i", "mark", "s", "small", "span"]).union(
    ["strike", "strong", "sub", "sup", "tt", "u"]
)
"""Elements that change the look of text and do not group it."""

CLIMB: Final = 2 * MAX_SPANS
"""Enclosing elements looked at for a link, since many have the same span."""


class Reference:
    """A link as it stands in the page, while the words around it are still being counted.

    `around` are the spans of the enclosing elements from the outermost inwards, whose ends are set later, with a third
    number for presentational elements; `alt` is the text that stands in for a missing anchor text; `depth` is how deep
    its element is, 0 for one without content.
    """

    __slots__ = ("alt", "around", "depth", "href", "length", "position", "rel", "tag", "texts")

    def __init__(self, tag: str, href: str, rel: str, position: int, around: list[list[int]], alt: str) -> None:
        self.tag = tag
        self.href = href
        self.rel = rel
        self.position = position
        self.length = 0
        self.around = around
        self.alt = alt
        self.texts: list[str] = []
        self.depth = 0

    def link(self, target: str) -> Link:
        """Return the finished link to a canonical URL."""
        text = " ".join(" ".join(self.texts).replace("\xad", "").split()) or " ".join(self.alt.split())
        rel = tuple(self.rel.lower().split()) if self.rel else ()
        spans, presentational = self._spans()
        return Link(target, text[:MAX_ANCHOR], self.position, self.length, spans, rel, self.tag, presentational)

    def _spans(self) -> tuple[tuple[tuple[int, int], ...], int]:
        """Return the different spans around, from the innermost outwards, and which are of presentational elements."""
        spans: list[tuple[int, int]] = []
        presentational = 0
        last_start, last_end = self.position, self.position + self.length
        for start, end, *look in reversed(self.around):
            if start != last_start or end != last_end:
                if len(spans) == MAX_SPANS:
                    break
                presentational |= len(look) << len(spans)
                spans.append((start, end))
                last_start, last_end = start, end
            elif spans and not look:
                # A paragraph that holds nothing but a bold text is still a paragraph.
                presentational &= ~(1 << len(spans) - 1)
        return tuple(spans), presentational


class Resolver:
    """Turns the references of one page into canonical URLs.

    >>> Resolver("http://a.test/x/y")("../z#f")
    'http://a.test/z'
    """

    def __init__(self, base: str) -> None:
        self._base = base
        self._origin = origin_of(base)
        self._known: dict[str, str | None] = {}

    def __call__(self, href: str) -> str | None:
        """Return the canonical URL of a reference, None where it leads nowhere a crawler can go."""
        if href in self._known:
            return self._known[href]
        target: str | None
        if len(href) > 2 * MAX_URL:
            target = None
        elif href.startswith(("http://", "https://")):
            target = _absolute(href)
        elif href.startswith("/") and href[1:2].isalnum():
            # Pages of one site share most of these, so they are worth remembering from page to page.
            target = _absolute(self._origin + href)
        else:
            target = canonical(href, self._base)
        self._known[href] = target = target if target is None or len(target) <= MAX_URL else None
        return target


@lru_cache(maxsize=1 << 16)
def _absolute(url: str) -> str | None:
    return canonical(url)

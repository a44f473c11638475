"""The links of a page while it is being read."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from thresher.documents.resolution import Resolver
from thresher.types import Link

MAX_SPANS: Final = 12
"""Spans of enclosing elements kept for a link."""

MAX_ANCHOR: Final = 500
"""Characters of an anchor text."""

_ALL_SPANS: Final = (2 << MAX_SPANS) - 1

Spans: TypeAlias = tuple[tuple[int, int], ...]


class Region(Struct, gc=False):
    """An element around a link: the numbers of its first text and of the first behind it, and the element around.

    `looks` tells that it only changes the look of text and does not group it.
    """

    start: int
    around: "Region | None"
    looks: bool
    end: int = 0
    known: Spans = ()
    presentational: int = 0

    def reckon(self, at: list[int]) -> None:
        """Set the different spans of words from this element outwards, one more than a link may need.

        `at` are the words before each text; bit n of `presentational` is set where all elements of span n only change
        the look. Elements share what is around them, so that each is looked at once, however many links are inside.
        """
        inner, region = [], self
        while not region.known and region.around is not None:
            inner.append(region)
            region = region.around
        if not region.known:
            region.known = ((at[region.start], at[region.end]),)
        for region in reversed(inner):
            outer = region.around
            assert outer is not None
            span = (at[region.start], at[region.end])
            if outer.known[0] == span:
                region.known = outer.known
                region.presentational = outer.presentational & (-1 if region.looks else -2)
            else:
                region.known = (span, *outer.known)[: MAX_SPANS + 1]
                region.presentational = (outer.presentational << 1 | region.looks) & _ALL_SPANS


class Reference(Struct, gc=False):
    """A link as it stands in the page.

    `start` and `end` are the numbers of its first text and of the first behind it; `alt` is the text that stands in for
    a missing anchor text; `depth` is how deep its element is, 0 for one without content.
    """

    tag: str
    href: str
    rel: str | None
    alt: str | None
    start: int
    end: int
    around: Region
    depth: int = 0
    texts: list[str] = []

    def link(self, target: str, at: list[int]) -> Link:
        """Return the finished link to a canonical URL; `at` are the words before each text."""
        text = " ".join(" ".join(self.texts).replace("\xad", "").split())
        if not text and self.alt:
            text = " ".join(self.alt.split())
        rel = tuple(self.rel.lower().split()) if self.rel else ()
        start, end = at[self.start], at[self.end]
        around = self.around
        if not around.known:
            around.reckon(at)
        spans, presentational = around.known, around.presentational
        if spans[0] == (start, end):
            spans, presentational = spans[1:], presentational >> 1
        else:
            spans = spans[:MAX_SPANS]
        presentational &= (1 << len(spans)) - 1
        return Link(target, text[:MAX_ANCHOR], start, end - start, spans, rel, self.tag, presentational)


def finished(
    references: Sequence[Reference], words: list[str], at: list[int], resolve: Resolver, max_words: int
) -> tuple[list[str], list[Link]]:
    """Return the words of a page up to so many, and the links among them that lead somewhere.

    `at` are the words before each text and behind the last.
    """
    if len(words) > max_words:
        last = next(number for number, before in enumerate(at) if before >= max_words)
        words = words[:max_words]
        references = [reference for reference in references if reference.start < last]
        at = [min(before, max_words) for before in at]
    targets = ((reference, resolve(reference.href)) for reference in references)
    return words, [reference.link(target, at) for reference, target in targets if target is not None]

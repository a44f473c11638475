"""The links of a page while it is being read."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from thresher.documents.resolution import Resolver
from thresher.types import Link

MAX_SPANS: Final = 12
"""Maximum number of spans of enclosing elements kept for a link."""

MAX_ANCHOR: Final = 500
"""Maximum length of an anchor text in characters."""

MAX_PATH: Final = 6
"""Maximum number of element names in the path of a link."""

_ALL_SPANS: Final = (2 << MAX_SPANS) - 1

Spans: TypeAlias = tuple[tuple[int, int], ...]


class Region(Struct, gc=False):
    """An element around a link: the numbers of its first text and of the one after its last, and its parent region.

    `looks` says that it only changes the look of text without grouping it. `name` is that of an element that structures
    the page, otherwise empty.
    """

    start: int
    around: "Region | None"
    looks: bool
    end: int = 0
    known: Spans = ()
    presentational: int = 0
    name: str = ""
    path: str = ""

    def reckon(self, at: list[int]) -> None:
        """Set the path, and the distinct word spans from this element outwards, one more than a link may need.

        `at` has the number of words before each text. Bit n of `presentational` is set if all elements of span n only
        change the look. Elements share their surroundings, so each is processed once, however many links are inside.
        """
        inner, region = [], self
        while not region.known and region.around is not None:
            inner.append(region)
            region = region.around
        if not region.known:
            region.known = ((at[region.start], at[region.end]),)
            region.path = region.name
        for region in reversed(inner):
            outer = region.around
            assert outer is not None
            span = (at[region.start], at[region.end])
            region.path = _longer(outer.path, region.name)
            if outer.known[0] == span:
                region.known = outer.known
                region.presentational = outer.presentational & (-1 if region.looks else -2)
            else:
                region.known = (span, *outer.known)[: MAX_SPANS + 1]
                region.presentational = (outer.presentational << 1 | region.looks) & _ALL_SPANS


class Reference(Struct, gc=False):
    """A link as found on the page.

    `start` and `end` are the numbers of its first text and of the one after its last. `alt` replaces a missing anchor
    text. `depth` is how deep its element is, 0 for one without content.
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
        """Return the finished link to a canonical URL; `at` has the number of words before each text."""
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
        return Link(target, text[:MAX_ANCHOR], start, end - start, spans, rel, self.tag, presentational, around.path)


def _longer(path: str, name: str) -> str:
    """Return a path with one more name; repeated names and the outermost of too many are left out.

    >>> _longer("div ul", "li"), _longer("div", "div"), _longer("nav div ul li ul li", "p")
    ('div ul li', 'div', 'div ul li ul li p')
    """
    if not path or not name:
        return path or name
    names = path.split(" ")
    if names[-1] == name:
        return path
    return " ".join([*names, name][-MAX_PATH:])


def finished(
    references: Sequence[Reference], words: list[str], at: list[int], resolve: Resolver, max_words: int
) -> tuple[list[str], list[Link]]:
    """Return the words of a page up to a limit, and the links among them that lead somewhere.

    `at` has the number of words before each text and after the last.
    """
    if len(words) > max_words:
        last = next(number for number, before in enumerate(at) if before >= max_words)
        words = words[:max_words]
        references = [reference for reference in references if reference.start < last]
        at = [min(before, max_words) for before in at]
    targets = ((reference, resolve(reference.href)) for reference in references)
    return words, [reference.link(target, at) for reference, target in targets if target is not None]

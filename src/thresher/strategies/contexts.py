"""Link contexts: the words of a page that describe a link (Pant and Srinivasan, section 8).

A context is a span of words (start, end) of the page. The words are those of the whole page in reading order; of the
page's elements, only the spans stored with each link are needed.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, chain

from thresher.text.stems import stems_of
from thresher.types import Link

Span = tuple[int, int]


def text_window(link: Link, words: int, size: int) -> Span:
    """Return the anchor text with `size` words around it, half of them before and half after.

    If one side is short, the other side gets its words; `words` is the number of words on the page.

    >>> text_window(Link("http://a.test/", "here", position=50, length=1), 100, 10)
    (45, 56)
    >>> text_window(Link("http://a.test/", "here", position=2, length=1), 100, 10)
    (0, 11)
    """
    first = min(link.position, words)
    last = min(first + link.length, words)
    start = max(0, first - size // 2)
    end = min(words, last + size - (first - start))
    return max(0, first - (size - (end - last))), end


def tag_tree(link: Link, words: int, least: int = 2, most: int = 40, plain: bool = False) -> Span:
    """Return the words of the innermost element around the link that has more than `least` of them.

    Starts with the `<a>` itself and moves up as long as there are too few words; a context of more than `most` words is
    cut to that many around the link. With `plain`, elements that only change how text looks (`b`, `i`, `font`, `span`)
    are skipped.

    >>> link = Link("http://a.test/", "here", position=50, length=1, spans=((49, 51), (40, 60), (0, 100)))
    >>> tag_tree(link, 100), tag_tree(link, 100, least=30, most=40)
    ((40, 60), (31, 71))
    """
    start, end = min(link.position, words), min(link.position + link.length, words)
    for level, (outer_start, outer_end) in enumerate(link.spans):
        if end - start > least:
            break
        if not (plain and link.presentational >> level & 1):
            start, end = min(outer_start, words), min(outer_end, words)
    return _cut(link, start, end, most)


def _cut(link: Link, start: int, end: int, most: int) -> Span:
    """Return at most the given number of words of a span, around a link in it."""
    if end - start <= most:
        return start, end
    room = max(0, most - link.length)
    first = max(start, min(link.position - room // 2, end - most))
    return first, first + most


class PageStems:
    """The stems of a page's words, looked up once, so the bag of any context is a slice.

    >>> PageStems(["The", "boats", "sail"], "en").bag((0, 2))
    Counter({'boat': 1})
    """

    def __init__(self, words: Sequence[str], language: str) -> None:
        each = stems_of(words, language)
        self._stems = list(chain.from_iterable(each))
        self._starts = [0, *accumulate(map(len, each))]

    def bag(self, span: Span) -> Counter[str]:
        """Return the stems of a span of words with their counts."""
        start, end = span
        return Counter(self._stems[self._starts[start] : self._starts[end]])

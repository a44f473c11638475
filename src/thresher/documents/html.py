"""Reads HTML: title, visible words, links with their positions, and robots directives.

The page is parsed as a browser with scripts would parse it and walked once, from the first node to the last; no tree is
kept. Words of hidden elements, of elements that browsers do not show and of form options are left out; links in hidden
elements count, because menus are often hidden until they are opened. `<noscript>` is ignored, including its links, most
of which lead to counters and advertisements.

The walk collects texts and records positions as text numbers; words are extracted afterwards, all at once, which is
much faster than for many small texts.
"""

import re
from collections.abc import Callable
from itertools import islice
from typing import Final, TypeAlias

from msgspec import Struct
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from thresher.documents.elements import (
    INLINE,
    INSIDE_WORDS,
    LINE_ENDS,
    PRESENTATIONAL,
    SILENT,
    STRUCTURE,
    TEXT,
    UNKNOWN,
    UNSEEN,
    goes_on,
    number,
)
from thresher.documents.hidden import hidden_elements
from thresher.documents.passages import first_texts, passages
from thresher.documents.references import Reference, Region, finished
from thresher.documents.resolution import Resolver, usable_base
from thresher.documents.titles import tidy_title
from thresher.documents.wishes import MAX_WISHES, wish
from thresher.text.pieces import words_of_pieces
from thresher.text.words import is_joinable
from thresher.types import Link
from thresher.web.sitemaps import FEED, FEED_TYPES

MAX_NODES: Final = 500_000
"""Maximum number of nodes visited per page."""

LONGEST_WORDS: Final = 20
"""Maximum number of characters read per requested word; real text does not have longer words."""

_TITLES: Final = 20
FOLLOWED: Final = frozenset(["alternate", "canonical", "next", "prev"])
REFRESH: Final = re.compile(r"""\s*[0-9.]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)""", re.IGNORECASE)


Unwanted: TypeAlias = Callable[[LexborHTMLParser], set[int]]


class Markup(Struct, frozen=True):
    """A parsed HTML page; `metas` are (name, content) pairs of the meta elements addressed to crawlers.

    An element that names this crawler is recorded as one for all robots; `language` is the page's own claim, often
    empty; `text` is the visible text as written, one line per passage.
    """

    title: str
    words: list[str]
    links: list[Link]
    metas: tuple[tuple[str, str], ...] = ()
    language: str = ""
    text: str = ""


def read_html(
    text: str, url: str, max_words: int = 200_000, max_links: int = 10_000, unwanted: Unwanted | None = None
) -> Markup:
    """Read a page of the given URL, up to the limits on words and links.

    Words of the `unwanted` elements, given by id, are left out like those of hidden ones.

    >>> page = read_html("<title>T</title><p>See <a href='/x'>this page</a>.", "http://a.test/")
    >>> page.title, page.words, [(link.url, link.anchor, link.position, link.length) for link in page.links]
    ('T', ['See', 'this', 'page'], [('http://a.test/x', 'this page', 1, 2)])
    """
    return read_tree(parse_html(text), url, max_words, max_links, unwanted)


def parse_html(text: str) -> LexborHTMLParser:
    """Return the tree of a page as a browser with scripts builds it."""
    # Without events, the parser does not copy options around, which would take quadratic time.
    return LexborHTMLParser(text, scripting=True, options=LexborDocumentOptions.WO_EVENTS)


def read_tree(
    tree: LexborHTMLParser,
    url: str,
    max_words: int = 200_000,
    max_links: int = 10_000,
    unwanted: Unwanted | None = None,
) -> Markup:
    """Read a parsed page, up to the limits on words and links."""
    hidden = hidden_elements(tree)
    walk = _Walk(max_words, max_links, hidden if unwanted is None else hidden | unwanted(tree))
    if tree.root is not None:
        walk.through(tree.root)
    return walk.result(url)


def address_of(node: LexborNode) -> str | None:
    """Return the target of an `a` element, or None if it has none; SVG originally called it `xlink:href`."""
    attributes = node.attributes
    return attributes["href"] if "href" in attributes else attributes.get("xlink:href")


class _Walk:
    """One walk through a page.

    `_starts` has the number of texts before each open element, by depth, and `_tags` its kind. `_regions` has the
    regions of the outermost open elements that are known to enclose a link. `_hidden` is the depth of the outermost
    hidden element, 0 if there is none, and `_watched` that of the innermost open element whose end must be noticed.
    `_borders` are the numbers of texts that begin a new passage.
    """

    def __init__(self, max_words: int, max_links: int, hidden_ids: set[int]) -> None:
        self._max_words = max_words
        self._max_links = max_links
        self._hidden_ids = hidden_ids
        self._texts: list[str] = []
        self._joined: list[int] = []
        self._borders: list[int] = []
        self._starts = [0]
        self._tags = [0]
        self._regions: list[Region] = []
        self._hidden = 0
        self._watched = 0
        self._references: list[Reference] = []
        self._open: list[Reference] = []
        self._title = ""
        self._titles = 0
        self._base: str | None = None
        self._metas: list[tuple[str, str]] = []
        self._language = ""

    def through(self, root: LexborNode) -> None:
        """Visit all nodes in page order, up to the limits."""
        starts, tags, texts, opened = self._starts, self._tags, self._texts, self._open
        hidden_ids, handler_of, silent, inside_words = self._hidden_ids, _HANDLERS.get, SILENT, INSIDE_WORDS
        borders, inline = self._borders, INLINE
        # The passage that texts of each depth belong to; an element that is not inline begins its own.
        passage, begun, latest = [0, 0], 0, 0
        self._language = (root.attributes.get("lang") or "").strip().lower()[:35]
        nodes = root.traverse(include_text=True, skip_empty=True)
        inside = {next(nodes).mem_id: 1}
        ends_in_word = False
        room = LONGEST_WORDS * self._max_words
        for node in islice(nodes, MAX_NODES):
            tag = node.tag_id
            if tag in silent:
                ends_in_word = ends_in_word and tag in inside_words
                if tag in LINE_ENDS:
                    borders.append(len(texts))
                continue
            depth = inside[node.parent.mem_id]  # type: ignore[union-attr]
            if depth <= self._watched:
                self._leave(depth)
            if tag == TEXT:
                text: str = node.text_content  # type: ignore[assignment]
                if opened:
                    opened[-1].texts.append(text)
                if self._hidden:
                    continue
                if ends_in_word and text[0].isalnum() and is_joinable(texts[-1][-1], text[0]) and goes_on(node):
                    self._joined.append(len(texts))
                if passage[depth] != latest:
                    latest = passage[depth]
                    borders.append(len(texts))
                texts.append(text)
                ends_in_word = text[-1].isalnum()
                room -= len(text)
                if room <= 0:
                    texts[-1] = text[: len(text) + room]
                    break
                continue
            here = node.mem_id
            inside[here] = depth + 1
            handler = handler_of(tag)
            if handler is not None:
                handler(self, node, depth)
            if here in hidden_ids:
                self._hide(node, depth)
            if ends_in_word and tag not in inside_words:
                ends_in_word = False
            if tag in inline or tag >= UNKNOWN:
                within = passage[depth]
            else:
                within = begun = begun + 1
            if depth < len(starts):
                starts[depth] = len(texts)
                tags[depth] = tag
                passage[depth + 1] = within
            else:
                starts.append(len(texts))
                tags.append(tag)
                passage.append(within)
        self._leave(0)

    def _leave(self, depth: int) -> None:
        """Close all open elements at this depth or deeper."""
        here = len(self._texts)
        regions, opened = self._regions, self._open
        while len(regions) > depth:
            regions.pop().end = here
        if depth <= self._hidden:
            self._hidden = 0
        while opened and depth <= opened[-1].depth:
            opened.pop().end = here
        self._watched = max(self._hidden, len(regions) - 1, opened[-1].depth if opened else 0)

    def _hide(self, _: LexborNode, depth: int) -> None:
        if not self._hidden:
            self._hidden = self._watched = depth

    def _refer(self, depth: int, tag: str, href: str | None, rel: str | None, alt: str | None) -> Reference | None:
        """Record a link, unless it leads nowhere or only to another place on the page."""
        if not href or href.lstrip().startswith("#") or len(self._references) >= self._max_links:
            return None
        if len(self._regions) < depth:
            self._mark(depth)
        here = len(self._texts)
        reference = Reference(tag, href, rel, alt, here, here, self._regions[-1])
        self._references.append(reference)
        return reference

    def _mark(self, depth: int) -> None:
        """Ensure that all elements around a depth have a region."""
        regions = self._regions
        region = regions[-1] if regions else None
        for start, tag in zip(self._starts[len(regions) : depth], self._tags[len(regions) : depth], strict=True):
            region = Region(start, region, tag in PRESENTATIONAL, name=STRUCTURE.get(tag, ""))
            regions.append(region)
        self._watched = max(self._watched, depth - 1)

    def _a(self, node: LexborNode, depth: int) -> None:
        get = node.attributes.get
        reference = self._refer(depth, "a", address_of(node), get("rel"), get("aria-label") or get("title"))
        if reference is not None:
            reference.depth = self._watched = depth
            self._open.append(reference)

    def _area(self, node: LexborNode, depth: int) -> None:
        get = node.attributes.get
        self._refer(depth, "area", get("href"), get("rel"), get("alt"))

    def _frame(self, node: LexborNode, depth: int) -> None:
        get = node.attributes.get
        self._refer(depth, str(node.tag), get("src"), None, get("title") or get("name"))

    def _iframe(self, node: LexborNode, depth: int) -> None:
        self._frame(node, depth)
        self._hide(node, depth)

    def _link(self, node: LexborNode, depth: int) -> None:
        get = node.attributes.get
        rel = get("rel") or ""
        if not FOLLOWED.isdisjoint(rel.lower().split()):
            feed = (get("type") or "").partition(";")[0].strip().lower() in FEED_TYPES
            self._refer(depth, FEED if feed else "link", get("href"), rel, get("title"))

    def _img(self, node: LexborNode, _: int) -> None:
        if self._open:
            self._open[-1].alt = node.attributes.get("alt") or self._open[-1].alt

    def _meta(self, node: LexborNode, depth: int) -> None:
        attributes = node.attributes
        found = wish(attributes)
        if found is not None:
            if len(self._metas) < MAX_WISHES:
                self._metas.append(found)
        elif (attributes.get("http-equiv") or "").strip().lower() == "refresh":
            target = REFRESH.match(attributes.get("content") or "")
            self._refer(depth, "meta", target[1] if target else None, None, None)

    def _base_element(self, node: LexborNode, _: int) -> None:
        href = node.attributes.get("href")
        if self._base is None and href is not None:
            self._base = href

    def _title_element(self, node: LexborNode, depth: int) -> None:
        self._hide(node, depth)
        self._titles += 1
        if self._title or self._titles > _TITLES:
            return
        above = node.parent
        while above is not None and above.tag != "svg":
            above = above.parent
        if above is None:
            self._title = tidy_title(node.text())

    def result(self, url: str) -> Markup:
        """Return the result; links are resolved last, because the base may come after the first of them."""
        words, at = words_of_pieces(self._texts, self._joined)
        resolve = Resolver(usable_base(self._base, url))
        words, links = finished(self._references, words, at, resolve, self._max_words)
        text = passages(first_texts(self._texts, at, self._max_words), self._borders, set(self._joined))
        return Markup(self._title, words, links, tuple(self._metas), self._language, text)


_Handler = Callable[[_Walk, LexborNode, int], None]
_HANDLERS: Final[dict[int, _Handler]] = {
    **dict.fromkeys(UNSEEN, _Walk._hide),
    number("a"): _Walk._a,
    number("area"): _Walk._area,
    number("base"): _Walk._base_element,
    number("frame"): _Walk._frame,
    number("iframe"): _Walk._iframe,
    number("img"): _Walk._img,
    number("link"): _Walk._link,
    number("meta"): _Walk._meta,
    number("title"): _Walk._title_element,
}

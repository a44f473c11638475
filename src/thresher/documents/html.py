"""Reading HTML: title, visible words, links with their places, and what the page asks of robots.

The page is parsed as a browser with scripts would parse it and walked once, from the first node to the last; no tree is
kept. Words of hidden elements, of elements that browsers do not show and of choices in forms are left out; links of
hidden elements count, for menus are often hidden until they are touched.
"""

import re
from itertools import islice
from typing import Final

from msgspec import Struct
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from thresher.documents.references import CLIMB, PRESENTATIONAL, Reference, Resolver
from thresher.documents.wishes import MAX_WISHES, wish
from thresher.text.words import words as split_words
from thresher.types import Link
from thresher.web.sitemaps import FEED, FEED_TYPES
from thresher.web.urls import parse

MAX_NODES: Final = 500_000
"""Nodes of a page that are looked at."""

MAX_TITLE: Final = 500
"""Characters of a title."""

_LONGEST_JOINED: Final = 100
_TITLES: Final = 20

# Elements that say nothing, and comments.
_SKIPPED: Final = frozenset(["-comment", "br", "col", "embed", "hr", "input", "source", "track", "wbr", None])
_UNSEEN: Final = frozenset(["annotation", "audio", "canvas", "datalist", "desc", "iframe", "metadata"]).union(
    ["noembed", "noframes", "noscript", "rp", "script", "select", "style", "template", "title", "video"]
)
# Two pieces of text with only the borders of such elements between them are one word.
_INSIDE_WORDS: Final = frozenset(["b", "big", "em", "font", "i", "mark", "s", "small", "strong", "sub", "u", "wbr"])
FOLLOWED: Final = frozenset(["alternate", "canonical", "next", "prev"])
_HIDDEN: Final = '[hidden],[style*="none" i],dialog:not([open])'
_NOT_DISPLAYED: Final = re.compile(r"(?:^|;)\s*display\s*:\s*none\b", re.IGNORECASE)
REFRESH: Final = re.compile(r"""\s*[0-9.]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)""", re.IGNORECASE)


class Markup(Struct, frozen=True):
    """What an HTML page says: `metas` are (name, content) of the meta elements that ask something of crawlers.

    An element that names this crawler stands there as one for all robots; `language` is the page's own claim, often
    empty.
    """

    title: str
    words: list[str]
    links: list[Link]
    metas: tuple[tuple[str, str], ...] = ()
    language: str = ""


def read_html(text: str, url: str, max_words: int = 200_000, max_links: int = 10_000) -> Markup:
    """Read a page of the given URL, up to so many words and links.

    >>> page = read_html("<title>T</title><p>See <a href='/x'>this page</a>.", "http://a.test/")
    >>> page.title, page.words, [(link.url, link.anchor, link.position, link.length) for link in page.links]
    ('T', ['See', 'this', 'page'], [('http://a.test/x', 'this page', 1, 2)])
    """
    # Without its events the parser does not copy options about, which would cost the square of their number.
    parser = LexborHTMLParser(text, scripting=True, options=LexborDocumentOptions.WO_EVENTS)
    walk = _Walk(max_words, max_links)
    if parser.root is not None:
        walk.hide(parser.css(_HIDDEN))
        walk.through(parser.root)
    return walk.result(url)


class _Walk:
    """One walk through a page.

    `_path` and `_spans` hold the open elements: their identities, and their spans of words, whose ends are set when
    they are left, with a third number for those that only change the look of text. `_hidden` is the depth of the
    outermost hidden element, 0 outside of all.
    """

    def __init__(self, max_words: int, max_links: int) -> None:
        self._max_words = max_words
        self._max_links = max_links
        self._words: list[str] = []
        self._path: list[int] = []
        self._spans: list[list[int]] = []
        self._hidden = 0
        self._hidden_ids: set[int] = set()
        self._references: list[Reference] = []
        self._open: list[Reference] = []
        self._title = ""
        self._titles = 0
        self._base: str | None = None
        self._metas: list[tuple[str, str]] = []
        self._language = ""

    def hide(self, nodes: list[LexborNode]) -> None:
        """Note the elements that their attributes hide."""
        for node in nodes:
            attributes = node.attributes
            if "hidden" in attributes or node.tag == "dialog" or _NOT_DISPLAYED.search(attributes.get("style") or ""):
                self._hidden_ids.add(node.mem_id)

    def through(self, root: LexborNode) -> None:
        """Visit all nodes in the order of the page, as far as the limits allow."""
        path, spans, words, opened = self._path, self._spans, self._words, self._open
        hidden_ids, noted, skipped, presentational = self._hidden_ids, _NOTED, _SKIPPED, PRESENTATIONAL
        self._language = (root.attributes.get("lang") or "").strip().lower()[:35]
        nodes = root.traverse(include_text=True, skip_empty=True)
        path.append(next(nodes).mem_id)
        spans.append([0, 0])
        ends_in_word = False
        for node in islice(nodes, MAX_NODES):
            above = node.parent.mem_id  # type: ignore[union-attr]
            while path[-1] != above:
                self._leave()
            tag = node.tag
            if tag == "-text":
                text: str = node.text_content  # type: ignore[assignment]
                if opened:
                    opened[-1].texts.append(text)
                if self._hidden:
                    continue
                found = split_words(text)
                if ends_in_word and found and text[0].isalnum() and len(words[-1]) < _LONGEST_JOINED and _goes_on(node):
                    words[-1] += found.pop(0)
                words += found
                ends_in_word = text[-1].isalnum()
                if len(words) >= self._max_words:
                    del words[self._max_words :]
                    break
            elif tag not in skipped:
                here = node.mem_id
                start = len(words)
                if tag in noted:
                    self._note(node, tag)
                elif here in hidden_ids and not self._hidden:
                    self._hidden = len(path) + 1
                path.append(here)
                spans.append([start, start, 1] if tag in presentational else [start, start])
        while path:
            self._leave()

    def _note(self, node: LexborNode, tag: str) -> None:
        """Take in an element that is more than a place for words."""
        handler = _HANDLERS.get(tag)
        if handler is not None:
            handler(self, node)
        if not self._hidden and (tag in _UNSEEN or node.mem_id in self._hidden_ids):
            self._hidden = len(self._path) + 1

    def _leave(self) -> None:
        """Close the innermost element."""
        del self._path[-1]
        self._spans.pop()[1] = len(self._words)
        depth = len(self._path)
        if depth < self._hidden:
            self._hidden = 0
        if self._open and depth < self._open[-1].depth:
            link = self._open.pop()
            link.length = len(self._words) - link.position

    def _refer(self, tag: str, href: str | None, rel: str = "", alt: str = "") -> Reference | None:
        """Note a link, unless it leads nowhere or only to another place of the page."""
        if not href or href.lstrip().startswith("#") or len(self._references) >= self._max_links:
            return None
        reference = Reference(tag, href, rel, len(self._words), self._spans[-CLIMB:], alt)
        self._references.append(reference)
        return reference

    def _a(self, node: LexborNode) -> None:
        attributes = node.attributes
        alt = attributes.get("aria-label") or attributes.get("title") or ""
        reference = self._refer("a", attributes.get("href"), attributes.get("rel") or "", alt)
        if reference is not None:
            reference.depth = len(self._path) + 1
            self._open.append(reference)

    def _area(self, node: LexborNode) -> None:
        attributes = node.attributes
        self._refer("area", attributes.get("href"), attributes.get("rel") or "", attributes.get("alt") or "")

    def _frame(self, node: LexborNode) -> None:
        attributes = node.attributes
        self._refer(str(node.tag), attributes.get("src"), "", attributes.get("title") or attributes.get("name") or "")

    def _link(self, node: LexborNode) -> None:
        attributes = node.attributes
        rel = attributes.get("rel") or ""
        if not FOLLOWED.isdisjoint(rel.lower().split()):
            feed = (attributes.get("type") or "").partition(";")[0].strip().lower() in FEED_TYPES
            self._refer(FEED if feed else "link", attributes.get("href"), rel, attributes.get("title") or "")

    def _img(self, node: LexborNode) -> None:
        if self._open:
            self._open[-1].alt = node.attributes.get("alt") or self._open[-1].alt

    def _meta(self, node: LexborNode) -> None:
        attributes = node.attributes
        found = wish(attributes)
        if found is not None:
            if len(self._metas) < MAX_WISHES:
                self._metas.append(found)
        elif (attributes.get("http-equiv") or "").strip().lower() == "refresh":
            target = REFRESH.match(attributes.get("content") or "")
            self._refer("meta", target[1] if target else None)

    def _base_element(self, node: LexborNode) -> None:
        href = node.attributes.get("href")
        if self._base is None and href is not None:
            self._base = href

    def _title_element(self, node: LexborNode) -> None:
        self._titles += 1
        if self._title or self._titles > _TITLES:
            return
        above = node.parent
        while above is not None and above.tag != "svg":
            above = above.parent
        if above is None:
            self._title = " ".join(node.text().split())[:MAX_TITLE]

    def result(self, url: str) -> Markup:
        """Return what was found; links are resolved last, for the base may stand behind the first of them."""
        base = (parse(self._base, url) if self._base is not None else None) or url
        resolve = Resolver(base if base.startswith(("http:", "https:")) else url)
        links = []
        for reference in self._references:
            target = resolve(reference.href)
            if target is not None:
                links.append(reference.link(target))
        return Markup(self._title, self._words, links, tuple(self._metas), self._language)


def _goes_on(node: LexborNode) -> bool:
    """Tell whether a text goes on with the word at the end of the text before it."""
    current = node
    while (before := current.prev) is None:
        above = current.parent
        if above is None or above.tag not in _INSIDE_WORDS:
            return False
        current = above
    while not before.is_text_node:
        if before.tag not in _INSIDE_WORDS:
            return False
        inside = before.last_child or before.prev
        if inside is None:
            return False
        before = inside
    return not before.is_empty_text_node


_HANDLERS: Final = {
    "a": _Walk._a,
    "area": _Walk._area,
    "base": _Walk._base_element,
    "frame": _Walk._frame,
    "iframe": _Walk._frame,
    "img": _Walk._img,
    "link": _Walk._link,
    "meta": _Walk._meta,
    "title": _Walk._title_element,
}
_NOTED: Final = _UNSEEN.union(_HANDLERS)

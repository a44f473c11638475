"""Reads only title, links with anchor texts, and robots directives of a page.

For crawls that store answers and follow links but do not need words. The relevant elements are selected from the parsed
page; the links are those of `documents/html.py`, without positions and spans.
"""

from typing import Final

from selectolax.lexbor import LexborNode

from thresher.documents.html import FOLLOWED, REFRESH, Markup, address_of, parse_html
from thresher.documents.references import Reference, Region
from thresher.documents.resolution import Resolver, usable_base
from thresher.documents.titles import tidy_title
from thresher.documents.wishes import MAX_WISHES, wish
from thresher.types import Link
from thresher.web.sitemaps import FEED, FEED_TYPES

_PICKED: Final = "a[href],area[href],base[href],frame[src],iframe[src],link[href][rel],meta[content],title"


def read_links(text: str, url: str, max_links: int = 10_000) -> Markup:
    """Read the title, links and robots directives of a page, up to the limit on links.

    >>> page = read_links("<title>T</title><p>See <a href='/x'>this page</a>.", "http://a.test/")
    >>> page.title, page.words, [(link.url, link.anchor) for link in page.links]
    ('T', [], [('http://a.test/x', 'this page')])
    """
    parser = parse_html(text)
    found = _Found(max_links)
    for node in parser.css(_PICKED):
        found.take(node)
    language = (parser.root.attributes.get("lang") or "").strip().lower()[:35] if parser.root is not None else ""
    return Markup(found.title, [], found.links(url), tuple(found.metas), language)


class _Found:
    """What has been collected from a page so far."""

    def __init__(self, max_links: int) -> None:
        self._max_links = max_links
        self._references: list[Reference] = []
        self._page = Region(0, None, looks=False)
        self._base: str | None = None
        self.title = ""
        self.metas: list[tuple[str, str]] = []

    def take(self, node: LexborNode) -> None:
        """Process one element."""
        attributes, tag = node.attributes, str(node.tag)
        if tag == "a":
            self._anchor(node, attributes)
        elif tag == "meta":
            self._meta(attributes)
        elif tag == "title":
            self.title = self.title or _title(node)
        elif tag == "base":
            self._base = attributes.get("href") if self._base is None else self._base
        elif tag == "link":
            if not FOLLOWED.isdisjoint((attributes["rel"] or "").lower().split()):
                feed = (attributes.get("type") or "").partition(";")[0].strip().lower() in FEED_TYPES
                self._refer(FEED if feed else tag, attributes.get("href"), attributes["rel"], attributes.get("title"))
        elif tag == "area":
            self._refer(tag, attributes.get("href"), attributes.get("rel"), attributes.get("alt"))
        else:
            self._refer(tag, attributes["src"], "", attributes.get("title") or attributes.get("name"))

    def links(self, url: str) -> list[Link]:
        """Return the links that lead somewhere."""
        resolve = Resolver(usable_base(self._base, url))
        targets = ((reference, resolve(reference.href)) for reference in self._references)
        return [reference.link(target, [0]) for reference, target in targets if target is not None]

    def _anchor(self, node: LexborNode, attributes: dict[str, str | None]) -> None:
        alt = attributes.get("aria-label") or attributes.get("title")
        reference = self._refer("a", address_of(node), attributes.get("rel"), alt)
        if reference is not None:
            reference.texts.append(node.text())
            if not reference.texts[0].strip():
                for picture in node.css("img[alt]"):
                    reference.alt = picture.attributes["alt"] or reference.alt

    def _meta(self, attributes: dict[str, str | None]) -> None:
        found = wish(attributes)
        if found is not None:
            if len(self.metas) < MAX_WISHES:
                self.metas.append(found)
        elif (attributes.get("http-equiv") or "").strip().lower() == "refresh":
            target = REFRESH.match(attributes["content"] or "")
            self._refer("meta", target[1] if target else None, "", "")

    def _refer(self, tag: str, href: str | None, rel: str | None, alt: str | None) -> Reference | None:
        """Record a link, unless it leads nowhere or only to another place on the page."""
        if not href or href.lstrip().startswith("#") or len(self._references) >= self._max_links:
            return None
        reference = Reference(tag, href, rel, alt, 0, 0, self._page)
        self._references.append(reference)
        return reference


def _title(node: LexborNode) -> str:
    """Return the title of the page; empty if the element is the title of an image."""
    above = node.parent
    while above is not None and above.tag != "svg":
        above = above.parent
    return tidy_title(node.text()) if above is None else ""

"""Sitemaps and feeds: lists that some hosts publish of their own addresses."""

import re
from typing import Final

from thresher.simweb.ageing import version_of
from thresher.simweb.hosts import SimulatedHost
from thresher.simweb.pages import PageKind
from thresher.simweb.web import Web

SITEMAP: Final = "/sitemap.xml"
FEED: Final = "/feed.xml"

_PART: Final = re.compile(r"/sitemap-([1-9]\d{0,3})\.xml")
_PER_FILE: Final = 40
_NEWEST: Final = 10
_LISTED: Final = (PageKind.CONTENT, PageKind.NOISE, PageKind.WELCOME, PageKind.HUB)
_XMLNS: Final = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def publishes(host: SimulatedHost) -> bool:
    """Return whether a host has a sitemap, named in its robots.txt, and a feed, named on its home page."""
    return host.robots in ("open", "partial", "delay") and host.mirror_of < 0 and host.first % 3 > 0


def site_list(web: Web, host: SimulatedHost, target: str) -> tuple[str, bytes] | None:
    """Return the MIME type and body of a list at a target, or None if the host has none there."""
    if not publishes(host):
        return None
    if target == FEED:
        return "application/rss+xml", _feed(host, _urls(web, host)[-_NEWEST:])
    part = _PART.fullmatch(target)
    if target != SITEMAP and part is None:
        return None
    urls = _urls(web, host)
    parts = [urls[at : at + _PER_FILE] for at in range(0, len(urls), _PER_FILE)]
    if part is not None:
        number = int(part[1]) - 1
        return ("text/xml", _sitemap(parts[number])) if len(parts) > 1 and number < len(parts) else None
    return "application/xml", _index(host, len(parts)) if len(parts) > 1 else _sitemap(urls)


def _urls(web: Web, host: SimulatedHost) -> list[str]:
    """Return the pages of a host, including those that its robots.txt forbids, as on the real web."""
    pages = [page for page in range(host.first, host.end) if web.pages.kind_of(page) in _LISTED]
    return [web.urls[page] for page in pages if version_of(web, page) is not None]


def _sitemap(urls: list[str]) -> bytes:
    entries = "".join(f"<url><loc>{_text(url)}</loc></url>\n" for url in urls)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {_XMLNS}>\n{entries}</urlset>\n'.encode()


def _index(host: SimulatedHost, parts: int) -> bytes:
    entries = "".join(
        f"<sitemap><loc>http://{host.name}/sitemap-{part}.xml</loc></sitemap>\n" for part in range(1, parts + 1)
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex {_XMLNS}>\n{entries}</sitemapindex>\n'.encode()


def _feed(host: SimulatedHost, urls: list[str]) -> bytes:
    items = "".join(f"<item><title>{host.brand}</title><link>{_text(url)}</link></item>\n" for url in urls)
    head = f"<title>{host.brand}</title><link>http://{host.name}/</link>"
    return f'<?xml version="1.0"?>\n<rss version="2.0"><channel>{head}\n{items}</channel></rss>\n'.encode()


def _text(url: str) -> str:
    return url.replace("&", "&amp;")

"""The way through the sitemaps of a site, from what its robots file names down through the indexes."""

from collections import deque
from collections.abc import Iterable
from typing import Final

from thresher.web.sitemaps import MAX_URLS, Listed, read_sitemap
from thresher.web.urls import canonical

MAX_DEPTH: Final = 3
"""Files on the way from the first to the last, indexes included; the protocol knows two."""

MAX_FILES: Final = 500


class SitemapWalk:
    """Says which sitemap to fetch next, and takes in what it lists.

    `max_files` sitemaps are fetched at most, `max_urls` pages listed in all, and indexes followed down to the level
    `max_depth`. No file is fetched twice, so that indexes that name one another end.

    >>> walk = SitemapWalk(["http://a.test/map.xml"])
    >>> walk.next()
    'http://a.test/map.xml'
    >>> walk.take(b"<sitemapindex><sitemap><loc>http://a.test/b.xml</loc></sitemap></sitemapindex>")
    []
    >>> walk.next()
    'http://a.test/b.xml'
    """

    def __init__(
        self,
        urls: Iterable[str],
        *,
        max_depth: int = MAX_DEPTH,
        max_files: int = MAX_FILES,
        max_urls: int = 10 * MAX_URLS,
    ) -> None:
        self._max_depth = max_depth
        self._files = max_files
        self._left = max_urls
        self._waiting: deque[tuple[str, int]] = deque()
        self._seen: set[str] = set()
        self._current = ("", 0)
        self._add(urls, 1)

    def next(self) -> str | None:
        """Return the sitemap to fetch now, or None where the walk is over."""
        if not self._waiting or not self._files or not self._left:
            return None
        self._files -= 1
        self._current = self._waiting.popleft()
        return self._current[0]

    def take(self, body: bytes) -> list[Listed]:
        """Take in the sitemap that `next` named; return the pages it lists."""
        url, depth = self._current
        found = read_sitemap(body, url, max_urls=min(MAX_URLS, self._left))
        self._left -= len(found.pages)
        self._add((listed.url for listed in found.maps), depth + 1)
        return found.pages

    def _add(self, urls: Iterable[str], depth: int) -> None:
        if depth > self._max_depth:
            return
        for written in urls:
            url = canonical(written)
            if url is not None and url not in self._seen and len(self._waiting) < self._files:
                self._seen.add(url)
                self._waiting.append((url, depth))

"""The pages that a site is learned from: its first ones, breadth-first from the home page."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from thresher.bench.sites.labelled_sites import LabelledSites, SeedSites
from thresher.types import ParsedPage

PAGES: Final = 25


def first_pages(web: LabelledSites, home: str, number: int = PAGES) -> list[ParsedPage]:
    """Return the first pages of a site, breadth-first from its home page."""
    site = web.site(home)
    found: list[ParsedPage] = []
    seen, waiting = {home}, deque([home])
    while waiting and len(found) < number:
        page = web.page(waiting.popleft())
        if page is None:
            continue
        found.append(page)
        for link in page.links:
            if link.url not in seen and web.site(link.url) == site:
                seen.add(link.url)
                waiting.append(link.url)
    return found


def examples(
    web: LabelledSites, topic: str, start: SeedSites, number: int = PAGES
) -> list[tuple[ParsedPage, str | None]]:
    """Return the training pages of a topic; those of other sites have no topic."""
    own = _pages(web, start.relevant, number)
    return [*((page, topic) for page in own), *((page, None) for page in _pages(web, start.others, number))]


def _pages(web: LabelledSites, homes: Sequence[str], number: int) -> list[ParsedPage]:
    return [page for home in homes for page in first_pages(web, home, number) if page.terms]

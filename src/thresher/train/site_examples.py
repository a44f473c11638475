"""Training data for sites: the user's sites for each topic, and their stored pages."""

from collections.abc import Sequence

from msgspec import Struct

from thresher.site_types import SiteVerdict
from thresher.store.protocol import Store
from thresher.store.stored_page import page_of
from thresher.taxonomy.topic_tree import Taxonomy
from thresher.train.labelled_urls import is_negative, labelled_urls
from thresher.train.stored_pages import find
from thresher.types import Failed, ParsedPage
from thresher.web.site_names import SiteUnit, site_of


class TaughtSite(Struct, frozen=True):
    """A training site: its name, one of its pages that a person named, and its topic, None for no topic."""

    site: str
    url: str
    topic: str | None


def taught_sites(taxonomy: Taxonomy, verdicts: Sequence[SiteVerdict], unit: SiteUnit) -> list[TaughtSite]:
    """Return the sites of a person's bookmarks, and the sites with verdicts; the last word on a site counts."""
    found: dict[str, TaughtSite] = {}
    for one in labelled_urls(taxonomy):
        if "://" in one.url and not one.url.startswith("file:"):
            site = site_of(one.url, unit)
            label = None if is_negative(one.label) else one.label
            if site not in found or found[site].topic is None:
                found[site] = TaughtSite(site, one.url, label)
    for said in verdicts:
        found[said.site] = TaughtSite(said.site, said.home, said.topic if said.accepted else None)
    return list(found.values())


def site_pages(store: Store, crawls: Sequence[int], site: str, most: int) -> list[ParsedPage]:
    """Return the first stored pages of a site, from the crawl that read most of it."""
    read = max((store.sites.pages(crawl, site) for crawl in crawls), key=len, default=[])
    found = [find(store, row.url) for row in read[:most]]
    pages = [page_of(row) for rows in found if not isinstance(rows, Failed) for row in rows]
    return [page for page in pages if page.terms]

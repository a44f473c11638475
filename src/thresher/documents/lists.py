"""Reads sitemaps and feeds as pages with links but no words."""

from thresher.types import Fetched, Link, ParsedPage
from thresher.web.robots_tag import robots_directives
from thresher.web.sitemaps import MAP, read_sitemap


def read_list(fetched: Fetched, max_links: int) -> ParsedPage:
    """Return the pages and lists in a list of addresses, at most `max_links`; lists are tagged as such.

    >>> body = b"<urlset><url><loc>http://a.test/x</loc></url></urlset>"
    >>> fetched = Fetched(url="http://a.test/m", status=200, headers=[], body=body, raw=body, mime="text/xml", at=0.0)
    >>> [link.url for link in read_list(fetched, 10).links]
    ['http://a.test/x']
    """
    found = read_sitemap(fetched.body, fetched.url, max_urls=max_links)
    links = [Link(listed.url, "", 0, 0, tag="loc") for listed in found.pages]
    links += [Link(listed.url, "", 0, 0, tag=MAP) for listed in found.maps]
    wishes = [value for name, value in fetched.headers if name.lower() == "x-robots-tag"]
    return ParsedPage(
        url=fetched.url, title="", words=[], links=links, robots=robots_directives(wishes) if wishes else ()
    )

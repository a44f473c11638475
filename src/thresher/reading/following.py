"""Decides which links of a page are followed, which lead to lists, and which ask not to be followed.

This is decided only here, for new pages and for pages from the repository.
"""

from typing import Final

from msgspec import Struct

from thresher.types import ParsedPage
from thresher.web.sitemaps import FEED, MAP
from thresher.web.urls import is_member

LISTS: Final = frozenset([FEED, MAP])
"""Tags of links that lead to lists of addresses."""


class Following(Struct, frozen=True):
    """The links of a page, by index.

    `followed` lead to other pages; `lists` lead to feeds and sitemaps, which are not pages; `refused` ask not to be
    followed (`Reason.NOFOLLOW`). A link to another document of the same archive is none of these: its target came with
    it.
    """

    followed: list[int]
    lists: list[int]
    refused: list[int]


def following(page: ParsedPage, *, obey_nofollow: bool = True) -> Following:
    """Split the links of a page; `obey_nofollow` respects the wishes of the page and its links.

    Only the relation `nofollow` refuses: `ugc` and `sponsored` say who wrote a link, not what to do with it.

    >>> from thresher.types import Link
    >>> links = [Link("http://a.test/", "a", 0, 1), Link("http://b.test/", "b", 1, 1, rel=("nofollow",))]
    >>> following(ParsedPage(url="http://c.test/", title="", words=[], links=links))
    Following(followed=[0], lists=[], refused=[1])
    """
    links = page.links
    places = list(range(len(links)))
    if page.archive is not None:
        places = [n for n in places if not is_member(links[n].url, page.archive)]
    if obey_nofollow and "nofollow" in page.robots:
        return Following([], [], places)
    if not any("nofollow" in links[n].rel or links[n].tag in LISTS for n in places):
        return Following(places, [], [])
    followed: list[int] = []
    lists: list[int] = []
    refused: list[int] = []
    for n in places:
        if obey_nofollow and "nofollow" in links[n].rel:
            refused.append(n)
        else:
            (lists if links[n].tag in LISTS else followed).append(n)
    return Following(followed, lists, refused)

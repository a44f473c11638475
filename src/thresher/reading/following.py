"""Following: which links of a page lead on, and which ask not to be followed."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from thresher.documents.formats.member_names import INSIDE
from thresher.types import Link
from thresher.web.sitemaps import FEED


class Following(Struct, frozen=True):
    """The links of a page by their places: those that lead to other pages, and those that ask not to be followed.

    A link may be neither: a feed is no page, and what leads to another place of the same archive came with it.
    """

    followed: list[int]
    refused: list[int]


def following(links: Sequence[Link], robots: Collection[str], *, obey: bool = True, archive: str = "") -> Following:
    """Part the links of a page; `robots` are its wishes, `obey` respects them and those of its links.

    `archive` is the address of the archive that the page is in, empty where it is in none.

    >>> links = [Link("http://a.test/", "a", 0, 1), Link("http://b.test/", "b", 1, 1, rel=("nofollow",))]
    >>> following(links, ())
    Following(followed=[0], refused=[1])
    """
    places = list(range(len(links)))
    if archive:
        places = [n for n in places if not links[n].url.startswith(archive + INSIDE)]
    if obey and "nofollow" in robots:
        return Following([], places)
    refused = [n for n in places if "nofollow" in links[n].rel] if obey else []
    left_out = {*refused, *(n for n in places if links[n].tag == FEED)}
    return Following([n for n in places if n not in left_out] if left_out else places, refused)

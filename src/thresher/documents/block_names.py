"""Recognises boilerplate and main text by the class names and ids that web authors commonly use."""

import re
from functools import lru_cache
from typing import Final

_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")

_BOILERPLATE: Final = frozenset(
    word
    for words in (
        "nav navi navigation navbar menu menue submenu breadcrumb breadcrumbs sitemap pagination pager paging skip toc",
        "tabs sidebar sidebars aside footer foot masthead topbar toolbar widget widgets",
        "related similar recommended recommendation recommendations more popular trending latest recent newsfeed",
        "blogroll archives",
        "comment comments commentlist respond reply replies disqus kommentar kommentare",
        "share sharing sharedaddy social teilen follow like likes rating ratings vote newsletter subscribe",
        "subscription signup login register donate",
        "cookie cookies consent gdpr banner overlay modal popup lightbox paywall",
        "ad ads advert advertisement advertising sponsor sponsored promo promotion promoted anzeige anzeigen werbung",
        "outbrain taboola",
        "meta metadata postmeta byline tags taglist tagcloud authorbox biography bio copyright disclaimer impressum",
        "credits print printonly noprint screenreader offscreen hidden invisible",
    )
    for word in words.split(" ")
)
_MAIN: Final = frozenset(
    ["article", "articlebody", "blogpost", "body", "content", "description", "entry", "hentry"]
).union(["intro", "main", "news", "post", "posts", "recipe", "story", "text"])
# Boilerplate, but not together with one of the main names: an article's header, the teaser of its text.
_AMBIGUOUS: Final = frozenset(["carousel", "header", "slider", "slides", "slideshow", "teaser", "teasers"])


@lru_cache(maxsize=1 << 14)
def _words(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORDS.findall(name))


def is_named_boilerplate(name: str) -> bool:
    """Return whether the names of an element are those of navigation, comments, notices and the like.

    >>> is_named_boilerplate("post-comments"), is_named_boilerplate("header"), is_named_boilerplate("entryHeader")
    (True, True, False)
    """
    found = _words(name)
    return not _BOILERPLATE.isdisjoint(found) or (not _AMBIGUOUS.isdisjoint(found) and _MAIN.isdisjoint(found))


def is_named_main(name: str) -> bool:
    """Return whether the names of an element are those of a main text.

    >>> is_named_main("articleBody"), is_named_main("left column")
    (True, False)
    """
    return not _MAIN.isdisjoint(_words(name))

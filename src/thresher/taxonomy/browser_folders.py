"""The names of built-in bookmark folders, by browser and language."""

from collections.abc import Sequence
from typing import Final

BROWSER_FOLDERS: Final = frozenset(
    [
        "bookmarks",
        "bookmarks bar",
        "bookmarks menu",
        "bookmarks toolbar",
        "bookmark bar",
        "bookmarksbar",
        "bookmarksmenu",
        "other bookmarks",
        "unsorted bookmarks",
        "unfiled bookmarks",
        "mobile bookmarks",
        "synced",
        "favorites",
        "favorites bar",
        "favourites",
        "favourites bar",
        "other favorites",
        "other favourites",
        "links",
        "reading list",
        "com.apple.readinglist",
        "personal toolbar folder",
        "lesezeichen",
        "lesezeichenleiste",
        "lesezeichen-symbolleiste",
        "lesezeichen-menü",
        "weitere lesezeichen",
        "andere lesezeichen",
        "mobile lesezeichen",
        "favoriten",
        "favoritenleiste",
        "weitere favoriten",
        "marque-pages",
        "barre de favoris",
        "barre personnelle",
        "menu des marque-pages",
        "autres marque-pages",
        "autres favoris",
        "favoris",
        "marcadores",
        "barra de marcadores",
        "otros marcadores",
        "barra de favoritos",
        "favoritos",
        "segnalibri",
        "barra dei segnalibri",
        "altri preferiti",
        "preferiti",
        "barra dei preferiti",
        "bladwijzers",
        "bladwijzerbalk",
        "overige bladwijzers",
        "zakładki",
        "pasek zakładek",
        "inne zakładki",
        "закладки",
        "панель закладок",
        "другие закладки",
        "избранное",
        "书签",
        "书签栏",
        "其他书签",
        "收藏夹栏",
        "ブックマーク",
        "ブックマーク バー",
        "その他のブックマーク",
    ]
)
"""Names in lower case."""

STOCK_FOLDERS: Final = {
    "mozilla firefox": ("mozilla.org", "mozilla.com", "firefox.com", "getfirefox.com"),
    "firefox and mozilla links": ("mozilla.org", "mozilla.com", "firefox.com", "getfirefox.com"),
    "ubuntu and free software links": ("ubuntu.com", "launchpad.net", "debian.org", "canonical.com"),
    "microsoft websites": ("microsoft.com", "msn.com", "live.com"),
    "msn websites": ("microsoft.com", "msn.com", "live.com"),
    "windows live": ("microsoft.com", "msn.com", "live.com"),
}
"""Folders of links that come with a browser, by name in lower case, and the sites they link to."""

STOCK_LINKS: Final = 8
"""Maximum number of links in such a folder; one with more is a person's own."""


def is_stock(name: str, hosts: Sequence[str]) -> bool:
    """Return whether a folder is unchanged since the browser created it, by its name and the hosts of its links.

    >>> is_stock("Mozilla Firefox", ["support.mozilla.org"]), is_stock("Mozilla Firefox", ["a.test", "mozilla.org"])
    (True, False)
    """
    sites = STOCK_FOLDERS.get(name.strip().lower(), ())
    return 0 < len(hosts) <= STOCK_LINKS and all(
        any(host == site or host.endswith(f".{site}") for site in sites) for host in hosts
    )

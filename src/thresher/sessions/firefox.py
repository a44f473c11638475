"""Reads Firefox's `places.sqlite`: visits and their referrers, and bookmarks with their folders."""

from typing import Any, Final

from thresher.errors import InputError
from thresher.sessions.history_file import HistoryFile
from thresher.sessions.visits import BookmarkedPage, History, Visit
from thresher.web.urls import canonical

MOST: Final = 1_000_000
"""Maximum number of visits read, newest first."""

LONGEST: Final = 2000
TITLE: Final = 300
"""Maximum lengths of an address and a title."""

_MICRO: Final = 1_000_000.0
_LINK, _EMBED, _FRAME, _DOWNLOAD, _RELOAD = 1, 4, 8, 7, 9
_REDIRECTS: Final = (5, 6)
_NO_PAGES: Final = (_EMBED, _FRAME, _DOWNLOAD)
"""Kinds of visits; some of them did not show a page."""

_BOOKMARK, _FOLDER = 1, 2
_TAGS: Final = "tags________"
_DEEPEST: Final = 64

_VISITS: Final = """
SELECT v.id, coalesce(v.from_visit, 0), v.visit_date, v.visit_type, p.url, substr(coalesce(p.title, ''), 1, ?)
FROM moz_historyvisits AS v JOIN moz_places AS p ON p.id = v.place_id
WHERE v.visit_date >= ? AND v.visit_date < ? AND length(p.url) <= ? ORDER BY v.visit_date DESC, v.id DESC LIMIT ?
"""
_BOOKMARKS: Final = """
SELECT b.id, b.type, b.parent, coalesce(b.title, ''), b.guid, p.url
FROM moz_bookmarks AS b LEFT JOIN moz_places AS p ON p.id = b.fk LIMIT ?
"""


def is_firefox(file: HistoryFile) -> bool:
    """Return whether a database is Firefox's."""
    visits = {"id", "from_visit", "place_id", "visit_date", "visit_type"}
    return file.columns("moz_historyvisits") >= visits and file.columns("moz_places") >= {"id", "url", "title"}


def read_firefox(file: HistoryFile, since: float, until: float) -> History:
    """Return the visits between two times, and all bookmarks; raise InputError if there are too many."""
    bounds = (int(since * _MICRO), int(until * _MICRO))
    rows = file.rows(_VISITS, (TITLE, *bounds, LONGEST, MOST + 1))
    if len(rows) > MOST:
        raise InputError(f"'{file.path}' has more than {MOST:,} visits.", "Choose a shorter period with --since.")
    visits = [found for row in reversed(rows) if (found := _visit(*row)) is not None]
    marked = file.columns("moz_bookmarks") >= {"id", "type", "fk", "parent", "title", "guid"}
    return History(visits, _bookmarks(file.rows(_BOOKMARKS, (MOST,))) if marked else [])


def _visit(id_: Any, source: Any, at: Any, kind: Any, url: Any, title: Any) -> Visit | None:
    numbers = all(isinstance(number, int) for number in (id_, source, at, kind))
    address = canonical(url) if numbers and isinstance(url, str) and isinstance(title, str) else None
    if address is None or kind in _NO_PAGES:
        return None
    return Visit(
        id=id_,
        url=address,
        at=at / _MICRO,
        title=title,
        source=source,
        followed=kind == _LINK,
        redirected=kind in _REDIRECTS,
        again=kind == _RELOAD,
    )


def _bookmarks(rows: list[tuple[Any, ...]]) -> list[BookmarkedPage]:
    folders = {id_: (parent, title, guid) for id_, kind, parent, title, guid, _ in rows if kind == _FOLDER}
    found = []
    for _, kind, parent, _, _, url in rows:
        address = canonical(url) if kind == _BOOKMARK and isinstance(url, str) and len(url) <= LONGEST else None
        path = _path(parent, folders) if address is not None else None
        if address is not None and path is not None:
            found.append(BookmarkedPage(address, path))
    return found


def _path(folder: Any, folders: dict[Any, tuple[Any, Any, Any]]) -> tuple[str, ...] | None:
    """Return the path of a folder; None for folders below the tags."""
    names: list[str] = []
    while folder in folders and len(names) < _DEEPEST:
        parent, title, guid = folders[folder]
        if guid == _TAGS:
            return None
        names.append(str(title))
        folder = parent
    return tuple(name for name in reversed(names) if name)

"""Imports browsing sessions from a browser's history: only what the user selects, after showing it."""

import math
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from thresher.errors import InputError, UsageError
from thresher.runs.kept_sessions import in_domain, without
from thresher.sessions.chrome import is_chrome, read_chrome
from thresher.sessions.firefox import is_firefox, read_firefox
from thresher.sessions.history_file import is_database, opened
from thresher.sessions.profiles import BOOKMARKS, Profile
from thresher.sessions.session_file import read_sessions
from thresher.sessions.visits import PAUSE, BookmarkedPage, History, Walk, walks
from thresher.store.browsing import BrowsedPage, BrowsingRow
from thresher.taxonomy.native_bookmarks import read_native
from thresher.web.guard import is_private
from thresher.web.urls import canonical, host_of

_LARGEST_BOOKMARKS = 256 << 20


class Wanted(Struct, frozen=True, kw_only=True):
    """Which part of a history to import; everything else is ignored.

    Only visits between `since` and `until` on hosts of `domains` (all if empty) count. Bookmarked pages are useful, or
    only those bookmarked in `folder` or below it. Sessions without a useful page count only with `all_sessions`.
    """

    since: float = 0.0
    until: float = math.inf
    domains: tuple[str, ...] = ()
    folder: str = ""
    all_sessions: bool = False
    pause: float = PAUSE

    def has(self, url: str) -> bool:
        """Return whether a page is on a wanted host; private addresses are wanted only by name."""
        host = host_of(url)
        if not self.domains:
            return not is_private(host)
        return any(in_domain(host, domain) for domain in self.domains)


def domain_of(written: str) -> str:
    """Return the domain in a user's input, which may be a URL; raise UsageError if there is none.

    >>> domain_of("Example.org"), domain_of("https://example.org/page")
    ('example.org', 'example.org')
    """
    address = canonical(written if "://" in written else f"http://{written.strip()}/")
    if address is None or not host_of(address):
        raise UsageError(f"'{written[:100]}' is not a domain.", "Write it like example.org.")
    return host_of(address)


def sessions_in(path: Path, label: str, bookmarks: Path | None, wanted: Wanted) -> list[BrowsingRow]:
    """Return the sessions in a file: a browser's database of visits, or sessions in JSON Lines.

    `bookmarks` is Chrome's bookmark file, which by default is next to the database.
    """
    if not is_database(path):
        return _from_lines(path, wanted)
    until = min(wanted.until, time.time() + 86_400.0)
    with opened(path) as file:
        if is_firefox(file):
            source, history = "firefox", read_firefox(file, wanted.since, until)
        elif is_chrome(file):
            source, history = "chrome", read_chrome(file, wanted.since, until)
            history = History(history.visits, _chrome_bookmarks(bookmarks or path.with_name(BOOKMARKS)))
        else:
            raise InputError(
                f"'{path}' is not the history of a browser.", "Give Firefox's places.sqlite or Chrome's History."
            )
    useful = {target.url for target in in_folder(history.bookmarks, wanted.folder)}
    found = walks(history.visits, wanted.pause, wanted.has)
    rows = [_row(walk, useful, source, label) for walk in found]
    return [row for row in rows if row.useful or wanted.all_sessions]


def profile_of(found: Sequence[Profile], browser: str, name: str) -> Profile:
    """Return the selected profile; raise InputError with the existing ones if the choice is ambiguous."""
    fitting = [profile for profile in found if browser in ("", profile.browser) and name in ("", profile.name)]
    if len(fitting) == 1:
        return fitting[0]
    there = "; ".join(f"{profile.browser}, profile {profile.name}" for profile in (fitting or found))
    if not found:
        raise InputError("No browser with a history was found.", "Give its file with --file.")
    if not fitting:
        raise InputError("There is no such browser or profile.", f"There are: {there}.")
    raise InputError("There are several profiles.", f"Choose one with --browser and --profile: {there}.")


def in_folder(bookmarks: Iterable[BookmarkedPage], folder: str) -> list[BookmarkedPage]:
    """Return the bookmarks in a folder or below it, written `Science/Physics`; all of them without a folder.

    Raises InputError if there is no such folder.

    >>> in_folder([BookmarkedPage("http://a.test/", ("Menu", "Science", "Physics"))], "science")[0].url
    'http://a.test/'
    """
    known = list(bookmarks)
    wanted = [name.strip().casefold() for name in folder.split("/") if name.strip()]
    found = [target for target in known if _holds([name.casefold() for name in target.folders], wanted)]
    if wanted and not found:
        names = sorted({"/".join(target.folders) for target in known if target.folders})
        there = f"There are: {', '.join(names[:20])}." if names else "There are no bookmarks in folders."
        raise InputError(f"No bookmark is in a folder '{folder}'.", there)
    return found


def _holds(names: list[str], wanted: list[str]) -> bool:
    return any(names[start : start + len(wanted)] == wanted for start in range(len(names) - len(wanted) + 1))


def _row(walk: Walk, useful: set[str], source: str, label: str) -> BrowsingRow:
    pages = [
        BrowsedPage(url=visit.url, title=visit.title, at=visit.at, useful=visit.url in useful) for visit in walk.visits
    ]
    return BrowsingRow(source=source, label=label, taken=time.time(), pages=pages, links=walk.links)


def _from_lines(path: Path, wanted: Wanted) -> list[BrowsingRow]:
    """Return the sessions in a JSON Lines file, which marks useful pages itself and has no times."""
    rows = []
    for session in read_sessions(path):
        useful = set(session.useful)
        pages = [
            BrowsedPage(url=page.url, title=page.title, terms=page.terms, useful=place in useful)
            for place, page in enumerate(session.pages)
        ]
        whole = BrowsingRow(source="file", label=path.name, taken=time.time(), pages=pages, links=session.links)
        row = without(whole, [page for page in pages if not wanted.has(page.url)])
        if row.pages and (row.useful or wanted.all_sessions):
            rows.append(row)
    return rows


def _chrome_bookmarks(path: Path) -> list[BookmarkedPage]:
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST_BOOKMARKS:
            return []
        shelf = read_native(path.read_bytes())
    except OSError as error:
        raise InputError(f"'{path}' cannot be read: {error.strerror}.", "Check its permissions.") from None
    if shelf is None:
        raise InputError(f"'{path}' is not a bookmark file.", "Close the browser and try again.")
    found = ((canonical(mark.url), mark.folders) for mark in shelf.bookmarks)
    return [BookmarkedPage(url, folders) for url, folders in found if url is not None]

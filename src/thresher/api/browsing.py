"""The browsing sessions of a portal: finding, keeping, fetching and forgetting them."""

import math
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from thresher.api.crawl_work import carry_out
from thresher.api.overrides import Settings, overrides_of
from thresher.api.reports import Report
from thresher.api.waiting import ShowProgress
from thresher.errors import InputError, UsageError
from thresher.store.browsing import BrowsingRow
from thresher.store.repository import open_store
from thresher.types import Candidate

if TYPE_CHECKING:
    from thresher.sessions.profiles import Profile

MINUTES = 30.0
"""Minutes without a visit that end a session."""


class Browsing:
    """Browsing sessions; get it from `portal.browsing`.

    `find` returns sessions without keeping them, so you can look at them first. Times are in seconds since 1970. Only
    `fetch` fetches anything from the web.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def __repr__(self) -> str:
        return f"Browsing({str(self._path)!r})"

    @staticmethod
    def profiles() -> "list[Profile]":
        """Return the profiles of browsers on this machine that have a history."""
        from thresher.sessions.profiles import profiles

        return profiles()

    def find(
        self,
        *,
        browser: str = "",
        profile: str = "",
        file: str | Path | None = None,
        crawl: int | None = None,
        folder: str = "",
        domains: Sequence[str] = (),
        since: float = 0.0,
        until: float = math.inf,
        all_sessions: bool = False,
        pause: float = MINUTES,
    ) -> list[BrowsingRow]:
        """Return the sessions of one source: a browser's history, a file, or an earlier crawl (0 for the newest).

        Bookmarked pages count as useful, or only those in a bookmark `folder` such as `Sea/Boats`. `domains` restricts
        the pages; sessions without a useful page are left out unless `all_sessions` is set. `pause` is the number of
        minutes without a visit that ends a session. Raises InputError if the source cannot be read.
        """
        from thresher.runs.browser_history import Wanted, domain_of, profile_of, sessions_in
        from thresher.runs.crawl_sessions import crawl_sessions
        from thresher.runs.kept_sessions import without

        if (file is not None) + (crawl is not None) + bool(browser or profile) > 1:
            raise UsageError("There is more than one source.", "Give --browser and --profile, or --file, or --crawl.")
        wanted = Wanted(
            since=max(since, 0.0),
            until=until,
            domains=tuple(domain_of(name) for name in domains),
            folder=folder,
            all_sessions=all_sessions,
            pause=pause * 60,
        )
        if file is not None:
            return sessions_in(Path(file), Path(file).name, None, wanted)
        if crawl is not None:
            with closing(open_store(self._path, read_only=True)) as store:
                rows = crawl_sessions(store, crawl, at=time.time())
            left = (without(row, [page for page in row.pages if not wanted.has(page.url)]) for row in rows)
            return [row for row in left if row.useful or (row.pages and all_sessions)]
        chosen = profile_of(self.profiles(), browser, profile)
        return sessions_in(chosen.history, f"{chosen.browser} {chosen.name}", chosen.bookmarks, wanted)

    def keep(self, sessions: Sequence[BrowsingRow]) -> list[BrowsingRow]:
        """Keep sessions in the portal and return those that were not there yet."""
        from thresher.runs.kept_sessions import keep

        with closing(open_store(self._path)) as store:
            return keep(store, sessions)

    def sessions(
        self, *, domains: Sequence[str] = (), since: float = -math.inf, until: float = math.inf
    ) -> list[BrowsingRow]:
        """Return the kept sessions, oldest first, with all their pages or those of some domains and times."""
        from thresher.runs.browser_history import domain_of
        from thresher.runs.kept_sessions import Forgetting, without

        what = Forgetting(domains=tuple(domain_of(name) for name in domains), since=since, until=until)
        with closing(open_store(self._path, read_only=True)) as store:
            rows = store.browsing.all()
        found = [without(row, [page for page in row.pages if not what.covers(page)]) for row in rows]
        return [row for row in found if row.pages]

    def session(self, number: int) -> BrowsingRow:
        """Return a kept session by its number; raise InputError if there is none."""
        found = next((row for row in self.sessions() if row.id == number), None)
        if found is None:
            raise InputError(f"There is no session {number}.", "List them without an action.")
        return found

    def forget(
        self, *, domains: Sequence[str] = (), since: float = -math.inf, until: float = math.inf
    ) -> list[BrowsingRow]:
        """Forget pages of the kept sessions, by domain and time or all of them, and return them.

        They are also removed from the training data of `learn_paths`. Pages that were fetched stay in the portal.
        """
        from thresher.runs.browser_history import domain_of
        from thresher.runs.kept_sessions import Forgetting, forget

        gone = self.sessions(domains=domains, since=since, until=until)
        what = Forgetting(domains=tuple(domain_of(name) for name in domains), since=since, until=until)
        with closing(open_store(self._path)) as store:
            forget(self._path, store, what)
        return gone

    def unread(self) -> list[str]:
        """Return the URLs of kept pages whose text the portal does not have; `fetch` fetches these."""
        from thresher.runs.kept_sessions import unread_pages

        with closing(open_store(self._path, read_only=True)) as store:
            return unread_pages(store)

    def fetch(self, *, settings: Settings | None = None, progress: ShowProgress = None) -> Report:
        """Fetch the `unread` pages politely, and return a report."""
        from thresher.runs.plans import TrainingFetch

        candidates = [Candidate(url=url, priority=(1.0,)) for url in self.unread()]
        return carry_out(TrainingFetch(self._path, candidates, overrides=overrides_of(settings)), progress)


def clicks_to_useful(row: BrowsingRow) -> list[int | None]:
    """Return how many clicks each page of a session is from a useful one, or None if no path leads there."""
    from thresher.sessions.session import UNREACHED, Session, VisitedPage

    places = [place for place, page in enumerate(row.pages) if page.useful]
    session = Session([VisitedPage(page.url) for page in row.pages], row.links, places)
    return [None if hops == UNREACHED else hops for hops in session.distances()]

"""Searches saved under a name, and the feedback on results that rankings are fitted to."""

import time
from contextlib import closing
from difflib import get_close_matches
from pathlib import Path
from typing import TypedDict

from thresher.errors import InputError
from thresher.store.repository import open_store
from thresher.store.search_records import SavedSearch


class SavedRow(TypedDict):
    """A saved search; `looked` is when it was last viewed, `new` counts the pages stored since."""

    name: str
    query: str
    rank: str
    looked: float
    new: int


class QueryFeedbackRow(TypedDict):
    """Which results of a query were marked relevant or irrelevant, and the weights fitted to that."""

    id: int
    profile: str
    query: str
    at: float
    relevant: list[str]
    irrelevant: list[str]
    weights: dict[str, float]


class ProfileRow(TypedDict):
    """A ranking that fits the feedback on several queries; `relevant` counts their relevant pages."""

    weights: dict[str, float]
    queries: list[str]
    relevant: int


class Profiles(TypedDict):
    """Saved searches, feedback and profiles of a portal. Times are in seconds since 1970."""

    portal: str
    saved: list[SavedRow]
    feedback: list[QueryFeedbackRow]
    profiles: list[ProfileRow]


class SavedSearches:
    """The saved searches of a portal and the feedback on results; get it from `portal.saved_searches`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __repr__(self) -> str:
        return f"SavedSearches({str(self._path)!r})"

    def find(self, name: str) -> SavedSearch:
        """Return a saved search; raise InputError if none has that name."""
        with closing(open_store(self._path, read_only=True)) as store:
            known = {search.name: search for search in store.searches.saved()}
        if name in known:
            return known[name]
        close = get_close_matches(name, known, 1)
        there = f"Choose one of: {', '.join(known)}." if known else "Save one with --save NAME."
        raise InputError(f"No search is saved as '{name}'.", f"Did you mean '{close[0]}'?" if close else there)

    def save(self, name: str, query: str, rank: str = "") -> None:
        """Save a search under a name; it counts as just viewed."""
        now = time.time()
        with closing(open_store(self._path)) as store:
            before = next((search.at for search in store.searches.saved() if search.name == name), now)
            row = SavedSearch(name=name, query=query, rank=rank, at=before, looked=now, seq=store.log.last())
            store.searches.save(row)

    def forget(self, name: str) -> None:
        """Delete the feedback with a number, or a saved search by its name; raise InputError if there is none."""
        with closing(open_store(self._path)) as store:
            if name.isdigit() and store.searches.forget_feedback([int(name)]):
                return
            if not store.searches.forget(name):
                raise InputError(f"There is no feedback or saved search '{name}'.", "List them without --forget.")

    def profiles(self) -> Profiles:
        """Return the saved searches, all feedback and the rankings fitted to it."""
        from thresher.search.profiles import shared_profiles
        from thresher.search.searcher import Searcher

        with closing(open_store(self._path, read_only=True)) as store:
            feedback, saved = store.searches.feedback(), store.searches.saved()
        news: dict[str, int] = {}
        if saved:
            with Searcher(self._path) as searcher:
                news = {one.name: searcher.search(one.query, number=1, since=one.looked).total for one in saved}
        return {
            "portal": str(self._path),
            "saved": [
                {"name": one.name, "query": one.query, "rank": one.rank, "looked": one.looked, "new": news[one.name]}
                for one in saved
            ],
            "feedback": [
                {
                    "id": row.id,
                    "profile": row.profile,
                    "query": row.query,
                    "at": row.at,
                    "relevant": list(row.relevant),
                    "irrelevant": list(row.irrelevant),
                    "weights": row.weights,
                }
                for row in feedback
            ],
            "profiles": [
                {"weights": shared.weights, "queries": list(shared.queries), "relevant": len(shared.relevant)}
                for shared in shared_profiles(feedback)
            ],
        }

"""Searches saved under a name."""

import time
from contextlib import closing
from difflib import get_close_matches
from pathlib import Path

from thresher.errors import InputError
from thresher.store.repository import open_store
from thresher.store.search_records import SavedSearch


def find_saved(portal: Path, name: str) -> SavedSearch:
    """Return a saved search; raises InputError where there is none of that name."""
    with closing(open_store(portal, read_only=True)) as store:
        known = {search.name: search for search in store.searches.saved()}
    if name in known:
        return known[name]
    close = get_close_matches(name, known, 1)
    there = f"Choose one of: {', '.join(known)}." if known else "Save one with --save NAME."
    raise InputError(f"No search is saved as '{name}'.", f"Did you mean '{close[0]}'?" if close else there)


def keep_search(portal: Path, name: str, query: str, rank: str) -> None:
    """Keep a search under a name; the person has just looked at it."""
    now = time.time()
    with closing(open_store(portal)) as store:
        before = next((search.at for search in store.searches.saved() if search.name == name), now)
        row = SavedSearch(name=name, query=query, rank=rank, at=before, looked=now, seq=store.log.last())
        store.searches.save(row)

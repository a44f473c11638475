"""Checking known pages again: which ones, and in which order."""

from msgspec.structs import replace

from thresher.store.protocol import Store
from thresher.types import Candidate


def known_candidates(store: Store, before: float, limit: int = 0) -> list[Candidate]:
    """Return the pages of a portal last visited before a wall time, those visited longest ago with the best priority.

    `limit` is how many there are at most, 0 for all. Each carries the copy at hand, so that the server need not send
    what has not changed. For members of an archive stands the archive, once.
    """
    found: dict[str, Candidate] = {}
    for page in store.documents.due(before, limit):
        url, parent, copy = page.url, page.origin, page.copy
        if page.archive is not None:
            url, parent, copy = page.archive, None, replace(copy, digest=b"")
        candidate = Candidate(url=url, priority=(-page.visited,), depth=page.depth, parent=parent, copy=copy)
        found.setdefault(url, candidate)
    return list(found.values())

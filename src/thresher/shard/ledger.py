"""The ledger: what a crawl knows about URLs, including changes that are not written yet.

Changes are collected here until they are drained, and look-ups see them until the next drain: by then they are in the
store. The exact seen-set is the store's; a bounded cache of ids saves most look-ups there.
"""

from collections.abc import Iterable, Sequence

import msgspec

from thresher.store.protocol import Store
from thresher.store.url_records import UrlMove, UrlPrice, UrlRow, UrlState
from thresher.types import Priority

SEEN_CACHE = 200_000
"""Maximum number of ids of seen URLs in memory."""


class _Changes:
    """The changes of one batch; a row replaces the earlier changes of its URL, a move or a score is applied on top."""

    def __init__(self) -> None:
        self.rows: dict[int, UrlRow] = {}
        self.moves: dict[int, UrlMove] = {}
        self.prices: dict[int, Priority] = {}

    def state(self, url: int) -> UrlState | None:
        """Return the state of a URL after these changes, or None if they do not touch it."""
        move = self.moves.get(url)
        if move is not None:
            return move.state
        row = self.rows.get(url)
        return row.state if row is not None else None

    def apply(self, url: int, row: UrlRow | None) -> UrlRow | None:
        """Return a row with these changes applied."""
        row = self.rows.get(url, row)
        if row is None:
            return None
        move = self.moves.get(url)
        if move is not None:
            row = msgspec.structs.replace(
                row, state=move.state, reason=move.reason, tries=move.tries, not_before=move.not_before
            )
        priority = self.prices.get(url)
        if priority is not None:
            row = msgspec.structs.replace(row, candidate=msgspec.structs.replace(row.candidate, priority=priority))
        return row


class Ledger:
    """The URLs of one crawl: those in the store, overlaid with the changes on their way there."""

    def __init__(self, store: Store, crawl: int) -> None:
        self._store = store
        self._crawl = crawl
        self._open = _Changes()
        self._handed = _Changes()
        self._seen: dict[int, None] = {}

    def states(self, ids: Sequence[int]) -> dict[int, UrlState]:
        """Return the state of each id the crawl has seen; unseen ids are absent."""
        known: dict[int, UrlState] = {}
        asked: list[int] = []
        for url in ids:
            state = self._unwritten(url)
            if state is not None:
                known[url] = state
            elif url in self._seen:
                known[url] = UrlState.DONE
            else:
                asked.append(url)
        if asked:
            stored = self._store.urls.states(self._crawl, asked)
            known.update(stored)
            for url, state in stored.items():
                self._remember(url, state)
        return known

    def rows(self, ids: Sequence[int]) -> dict[int, UrlRow]:
        """Return the rows of the ids the crawl has seen, with unwritten changes applied."""
        asked = [url for url in ids if not self._whole(url)]
        stored = self._store.urls.rows(self._crawl, asked) if asked else {}
        found: dict[int, UrlRow] = {}
        for url in ids:
            row = stored.get(url)
            row = self._open.apply(url, self._handed.apply(url, row))
            if row is not None:
                found[url] = row
        return found

    def put(self, rows: Iterable[UrlRow]) -> None:
        """Write whole rows; each replaces every earlier change of its URL."""
        changes = self._open
        for row in rows:
            changes.rows[row.id] = row
            changes.moves.pop(row.id, None)
            changes.prices.pop(row.id, None)
            self._remember(row.id, row.state)

    def move(self, move: UrlMove) -> None:
        """Change the state of a URL."""
        self._open.moves[move.id] = move
        self._remember(move.id, move.state)

    def price(self, url: int, priority: Priority) -> None:
        """Change the priority of a waiting URL."""
        self._open.prices[url] = priority

    def drain(self) -> tuple[list[UrlRow], list[UrlMove], list[UrlPrice]]:
        """Return all changes since the last call; the changes returned by that call must be in the store."""
        self._handed, self._open = self._open, _Changes()
        changes = self._handed
        prices = [UrlPrice(url, priority) for url, priority in changes.prices.items()]
        return list(changes.rows.values()), list(changes.moves.values()), prices

    def _unwritten(self, url: int) -> UrlState | None:
        state = self._open.state(url)
        return self._handed.state(url) if state is None else state

    def _whole(self, url: int) -> bool:
        return url in self._open.rows or url in self._handed.rows

    def _remember(self, url: int, state: UrlState) -> None:
        """Cache ids that are seen for good; waiting ones belong to the frontier, and cut ones may come back."""
        if state is UrlState.WAITING or state is UrlState.CUT:
            self._seen.pop(url, None)
            return
        self._seen[url] = None
        if len(self._seen) > SEEN_CACHE:
            for old in list(self._seen)[: SEEN_CACHE // 10]:
                del self._seen[old]

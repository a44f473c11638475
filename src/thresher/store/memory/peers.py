"""Other portals, in memory."""

from collections.abc import Sequence

from msgspec.structs import replace

from thresher.store.memory.tables import Tables
from thresher.store.peer_records import NeighbourRow, PeerMeasureRow, PeerModelRow, PeerRow


class MemoryPeers:
    """The peers of this portal."""

    def __init__(self, tables: Tables) -> None:
        self._lock = tables.lock
        self._peers: dict[str, PeerRow] = {}
        self._neighbours: dict[str, NeighbourRow] = {}
        self._models: dict[tuple[str, str], PeerModelRow] = {}
        self._measures: dict[tuple[str, str, str], PeerMeasureRow] = {}
        self._nonces: dict[tuple[str, str], float] = {}

    def all(self) -> list[PeerRow]:
        """Return all peers, by name and key."""
        with self._lock:
            return sorted(self._peers.values(), key=lambda row: (row.name, row.key))

    def get(self, key: str) -> PeerRow | None:
        """Return a peer by its public key, or None if it is unknown."""
        with self._lock:
            return self._peers.get(key)

    def put(self, row: PeerRow) -> None:
        """Add a peer, or replace its row."""
        with self._lock:
            self._peers[row.key] = row

    def seen(self, key: str, at: float) -> None:
        """Record that a peer sent a valid message; unknown peers are ignored."""
        with self._lock:
            if key in self._peers:
                self._peers[key] = replace(self._peers[key], seen=max(self._peers[key].seen, at))

    def forget(self, key: str, *, keep: bool = False) -> bool:
        """Remove a peer's models and all measurements by or of it; return False if it is unknown.

        The peer itself is removed too unless `keep` is set, as for a blocked peer.
        """
        with self._lock:
            known = key in self._peers
            if not keep:
                self._peers.pop(key, None)
            self._neighbours.pop(key, None)
            self._models = {place: row for place, row in self._models.items() if row.peer != key}
            self._measures = {
                place: row for place, row in self._measures.items() if key not in (row.peer, row.measurer)
            }
            return known

    def neighbours(self) -> list[NeighbourRow]:
        """Return the neighbour list, by key."""
        with self._lock:
            return [self._neighbours[key] for key in sorted(self._neighbours)]

    def set_neighbours(self, rows: Sequence[NeighbourRow]) -> None:
        """Replace the neighbour list."""
        with self._lock:
            self._neighbours = {row.key: row for row in rows}

    def models(self, *, used: bool = False) -> list[PeerModelRow]:
        """Return the received models, by peer and topic; with `used`, only those in use."""
        with self._lock:
            return [row for _, row in sorted(self._models.items()) if row.used or not used]

    def put_models(self, peer: str, rows: Sequence[PeerModelRow]) -> None:
        """Replace all models of a peer."""
        with self._lock:
            self._models = {place: row for place, row in self._models.items() if row.peer != peer}
            self._models |= {(peer, row.topic): replace(row, peer=peer) for row in rows}

    def measures(self) -> list[PeerMeasureRow]:
        """Return the measurements of peers, by measurer, peer and topic."""
        with self._lock:
            return [row for _, row in sorted(self._measures.items())]

    def put_measures(self, measurer: str, rows: Sequence[PeerMeasureRow]) -> None:
        """Replace all measurements by a peer."""
        with self._lock:
            self._measures = {place: row for place, row in self._measures.items() if row.measurer != measurer}
            self._measures |= {(measurer, row.peer, row.topic): replace(row, measurer=measurer) for row in rows}

    def take_nonce(self, sender: str, nonce: str, at: float, since: float) -> bool:
        """Record the nonce of a message and return True, or return False if it is already known."""
        with self._lock:
            self._nonces = {place: time for place, time in self._nonces.items() if time >= since}
            if (sender, nonce) in self._nonces:
                return False
            self._nonces[sender, nonce] = at
            return True

"""The protocol of the tables about other portals."""

from collections.abc import Sequence
from typing import Protocol

from thresher.store.peer_records import NeighbourRow, PeerMeasureRow, PeerModelRow, PeerRow


class Peers(Protocol):
    """Other portals, their models and measurements of these. Everything written is durable at once."""

    def all(self) -> list[PeerRow]:
        """Return all peers, by name and key."""

    def get(self, key: str) -> PeerRow | None:
        """Return a peer by its public key, or None if it is unknown."""

    def put(self, row: PeerRow) -> None:
        """Add a peer, or replace its row."""

    def seen(self, key: str, at: float) -> None:
        """Record that a peer sent a valid message; unknown peers are ignored."""

    def forget(self, key: str, *, keep: bool = False) -> bool:
        """Remove a peer's models and all measurements by or of it; return False if it is unknown.

        The peer itself is removed too unless `keep` is set, as for a blocked peer.
        """

    def neighbours(self) -> list[NeighbourRow]:
        """Return the neighbour list, by key."""

    def set_neighbours(self, rows: Sequence[NeighbourRow]) -> None:
        """Replace the neighbour list."""

    def models(self, *, used: bool = False) -> list[PeerModelRow]:
        """Return the received models, by peer and topic; with `used`, only those in use."""

    def put_models(self, peer: str, rows: Sequence[PeerModelRow]) -> None:
        """Replace all models of a peer."""

    def measures(self) -> list[PeerMeasureRow]:
        """Return the measurements of peers, by measurer, peer and topic."""

    def put_measures(self, measurer: str, rows: Sequence[PeerMeasureRow]) -> None:
        """Replace all measurements by a peer."""

    def take_nonce(self, sender: str, nonce: str, at: float, since: float) -> bool:
        """Record the nonce of a message and return True, or return False if it is already known.

        Nonces from before `since` are forgotten.
        """

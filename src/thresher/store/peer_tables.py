"""The protocol of the tables about other portals."""

from collections.abc import Sequence
from typing import Protocol

from thresher.store.peer_records import NeighbourRow, PeerMeasureRow, PeerModelRow, PeerRow


class Peers(Protocol):
    """Other portals, their models and what was measured of them. Everything written is durable at once."""

    def all(self) -> list[PeerRow]:
        """Return all peers, by name and key."""

    def get(self, key: str) -> PeerRow | None:
        """Return a peer by its public key, None if it is unknown."""

    def put(self, row: PeerRow) -> None:
        """Add a peer, or replace what is known of it."""

    def seen(self, key: str, at: float) -> None:
        """Keep that a peer sent a valid message; nothing happens if it is unknown."""

    def forget(self, key: str, *, keep: bool = False) -> bool:
        """Remove a peer's models and all that it measured or was measured; False if it is unknown.

        The peer itself is removed too, unless it is to be kept, as a blocked one is.
        """

    def neighbours(self) -> list[NeighbourRow]:
        """Return the neighbour list, by key."""

    def set_neighbours(self, rows: Sequence[NeighbourRow]) -> None:
        """Replace the neighbour list."""

    def models(self, *, used: bool = False) -> list[PeerModelRow]:
        """Return the received models, by peer and topic; only those in use if so asked."""

    def put_models(self, peer: str, rows: Sequence[PeerModelRow]) -> None:
        """Replace all models of a peer."""

    def measures(self) -> list[PeerMeasureRow]:
        """Return what peers measured, by measurer, peer and topic."""

    def put_measures(self, measurer: str, rows: Sequence[PeerMeasureRow]) -> None:
        """Replace all that a peer has measured."""

    def take_nonce(self, sender: str, nonce: str, at: float, since: float) -> bool:
        """Keep the nonce of a message and return True; False if it was kept before.

        Those from before `since` are forgotten.
        """

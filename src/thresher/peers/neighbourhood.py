"""The neighbour list of a portal, kept in its store, and the exchange of lists with other peers."""

from collections.abc import Callable, Iterable
from random import Random

from thresher.peers.cards import card_of, read_cards, written_cards
from thresher.peers.client import PeerClient
from thresher.peers.keys import PeerKey
from thresher.peers.overlay import LIFE, Neighbour, Neighbours
from thresher.store.peer_records import NeighbourRow, PeerRow, PeerState
from thresher.store.protocol import Store
from thresher.web.guard import is_private
from thresher.web.urls import host_of


class Neighbourhood:
    """The neighbours of the owner of a key; each change is written at once, so several processes agree."""

    def __init__(self, own: str, store: Store, random: Random, *, size: int = 32, life: float = LIFE) -> None:
        self._own = own
        self._store = store
        self._random = random
        self._size = size
        self._life = life

    def entries(self, now: float) -> list[Neighbour]:
        """Return all neighbours that have not expired."""
        known = self._known()
        known.expire(now)
        return known.entries()

    def merge(self, others: Iterable[Neighbour], now: float) -> None:
        """Merge another peer's list, without blocked peers."""
        blocked = {row.key for row in self._store.peers.all() if row.state is PeerState.BLOCKED}
        known = self._known()
        known.merge([one for one in others if one.key not in blocked], now, self._random)
        rows = [NeighbourRow(one.key, one.address, one.at, one.signature) for one in known.entries()]
        if rows != self._store.peers.neighbours():
            self._store.peers.set_neighbours(rows)

    def partner(self, now: float) -> Neighbour | None:
        """Return a random allowed peer with an address to exchange lists with; None if there is none.

        If the peer has announced a newer address itself, that one counts, unless it is private.
        """
        found = {one.key: one for one in self.entries(now)}
        allowed = [row for row in self._store.peers.all() if row.state is PeerState.ALLOWED]
        reachable = [one for row in allowed if (one := _place(row, found.get(row.key))) is not None]
        return self._random.choice(reachable) if reachable else None

    def _known(self) -> Neighbours:
        rows = self._store.peers.neighbours()
        known = [Neighbour(row.key, row.address, row.at, row.signature) for row in rows]
        return Neighbours(self._own, size=self._size, life=self._life, known=known)


def _place(row: PeerRow, card: Neighbour | None) -> Neighbour | None:
    """Return the address of a peer, from its card or from when it was added; None if there is none."""
    if card is not None and not (row.address and is_private(host_of(card.address))):
        return card
    return Neighbour(row.key, row.address, row.seen) if row.address else None


async def exchange(
    neighbourhood: Neighbourhood, client: PeerClient, key: PeerKey, address: str, clock: Callable[[], float]
) -> Neighbour | None:
    """Exchange lists with one random allowed peer and return it; None if there is none or it did not answer.

    `address` is this portal's address, empty if it cannot be reached.
    """
    now = clock()
    partner = neighbourhood.partner(now)
    if partner is None:
        return None
    mine = neighbourhood.entries(now)
    if address:
        mine.append(card_of(key, address, now))
    answer = await client.send(partner.key, partner.address, "neighbours", {"entries": written_cards(mine)})
    if not isinstance(answer, dict):
        return None
    neighbourhood.merge(read_cards(answer.get("entries")), clock())
    return partner

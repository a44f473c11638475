"""The overlay network of peers (Sizov, section 3.3.1).

Every peer keeps a bounded list of neighbours with the time each was last seen. From time to time it picks one at
random, and both exchange their lists: the newer of two entries for a peer is kept, old entries expire, and surplus
entries are dropped at random. One live address is enough to join, and a peer that leaves is forgotten.

This is pure logic over a clock and a random source, so a thousand peers can be simulated in one process.
"""

import math
from collections.abc import Iterable
from random import Random
from typing import Final

from msgspec import Struct

LIFE: Final = 7 * 86_400.0
"""Seconds after which a neighbour that has not been seen is forgotten."""

CONNECTED: Final = 25
"""Entries needed in addition to the logarithm of the number of peers to keep an overlay connected."""

SKEW: Final = 300.0
"""Seconds that an entry may be ahead of our clock."""


class Neighbour(Struct, frozen=True):
    """A peer: its public key, its address, and when it last signed that address.

    `signature` is the peer's own, so that nobody else can change its address or time; it is empty in simulations.
    """

    key: str
    address: str
    at: float
    signature: str = ""


def list_size(peers: int) -> int:
    """Return how many neighbours are needed to keep a number of peers connected.

    >>> list_size(16), list_size(1000)
    (28, 32)
    """
    return CONNECTED + math.ceil(math.log(max(2, peers)))


class Neighbours:
    """The neighbours of a peer, without itself: at most `size`, none unseen for more than `life` seconds.

    >>> mine = Neighbours("a", size=2, known=[Neighbour("b", "http://b.test/", 10.0)])
    >>> mine.merge([Neighbour("b", "http://new.test/", 20.0), Neighbour("a", "http://a.test/", 30.0)], 25.0, Random(1))
    >>> mine.entries()
    [Neighbour(key='b', address='http://new.test/', at=20.0, signature='')]
    """

    def __init__(self, own: str, *, size: int = 32, life: float = LIFE, known: Iterable[Neighbour] = ()) -> None:
        if size < 1:
            raise ValueError("a list of neighbours needs room for one")
        self._own = own
        self._size = size
        self._life = life
        self._known = {one.key: one for one in known if one.key != own}

    def entries(self) -> list[Neighbour]:
        """Return all neighbours, sorted by key."""
        return [self._known[key] for key in sorted(self._known)]

    def pick(self, random: Random, among: Iterable[str] | None = None) -> Neighbour | None:
        """Return a random neighbour, only from the keys in `among` if given; None if there is none."""
        keys = sorted(self._known if among is None else self._known.keys() & set(among))
        return self._known[random.choice(keys)] if keys else None

    def merge(self, others: Iterable[Neighbour], now: float, random: Random) -> None:
        """Merge another peer's list: newer entries win, old ones expire, surplus ones are dropped at random.

        Entries from the future are ignored.
        """
        for one in others:
            mine = self._known.get(one.key)
            if one.key != self._own and one.at <= now + SKEW and (mine is None or one.at > mine.at):
                self._known[one.key] = one
        self.expire(now)
        surplus = len(self._known) - self._size
        if surplus > 0:
            for key in random.sample(sorted(self._known), surplus):
                del self._known[key]

    def expire(self, now: float) -> None:
        """Forget neighbours that have not been seen for too long."""
        self._known = {key: one for key, one in self._known.items() if now - one.at <= self._life}

    def forget(self, key: str) -> None:
        """Forget a neighbour."""
        self._known.pop(key, None)

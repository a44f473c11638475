"""Portals in one process that talk to each other without a network: every message still goes through both doors."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from tests.peers.made import classifier_of, training
from thresher.peers.client import PeerClient
from thresher.peers.keys import PeerKey
from thresher.peers.messages import Refusal
from thresher.peers.models import ClusterModel
from thresher.peers.neighbourhood import Neighbourhood
from thresher.peers.responder import PeerResponder, ResponderRules
from thresher.peers.server import STATUS
from thresher.peers.sharing import Shared, SharingRules, shared_of
from thresher.reasons import Reason
from thresher.store.memory import MemoryStore
from thresher.store.peer_records import PeerRow, PeerState
from thresher.web.posting import Posted

START = 1_000_000.0


class Wires:
    """Carries messages between the peers of a test, and keeps what it carried."""

    def __init__(self) -> None:
        self.responders: dict[str, Callable[[bytes], bytes | Refusal]] = {}
        self.carried: list[tuple[str, bytes]] = []

    async def post(self, url: str, data: bytes) -> Posted | Reason:
        """Deliver a message."""
        self.carried.append((url, data))
        responder = self.responders.get(url)
        if responder is None:
            return Reason.CONNECT_FAILED
        found = responder(data)
        if isinstance(found, Refusal):
            return Posted(STATUS.get(found, 400), msgspec.json.encode({"refused": found.value}))
        return Posted(200, found)


class Given:
    """What a peer of a test shares."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def shared(self) -> Shared:
        """Return the models."""
        return self._shared

    def clusters(self, topic: str, k: int) -> ClusterModel | None:
        """Return centroids of made-up clusters."""
        return ClusterModel(topic, ["boat", "bread"], [[1.0, 0.0]] * (k - 1) + [[0.0, 1.0]])


class Peer:
    """A portal with a store in memory."""

    def __init__(self, number: int, wires: Wires, shared: Shared, *, messages: int = 600) -> None:
        self.time = START
        self.key = PeerKey(bytes([number]) * 32)
        self.name = f"peer{number}"
        self.address = f"http://{self.name}.test/"
        self.store = MemoryStore()
        self.shared = shared
        self.random = Random(number)
        self.neighbourhood = Neighbourhood(self.key.public, self.store, self.random)
        self.client = PeerClient(self.key, wires, clock=self.clock, nonce=self.nonce)
        self.responder = PeerResponder(
            self.key,
            self.store,
            Given(shared),
            ResponderRules(self.name, self.address, messages),
            clock=self.clock,
            nonce=self.nonce,
            neighbourhood=self.neighbourhood,
        )
        wires.responders[f"{self.address}peers/message"] = lambda data: self.responder.answer(data, "192.0.2.1")

    def clock(self) -> float:
        return self.time

    def nonce(self) -> bytes:
        return self.random.randbytes(16)

    def row(self, state: PeerState = PeerState.ALLOWED) -> PeerRow:
        """Return how others keep this peer."""
        return PeerRow(key=self.key.public, name=self.name, address=self.address, state=state, since=0.0)

    def send(self, to: "Peer", kind: Any, body: dict[str, Any] | None = None) -> dict[str, Any] | Refusal | Reason:
        """Send a message, and return the answer or the refusal."""
        return asyncio.run(self.client.send(to.key.public, to.address, kind, body or {}))


def befriend(*peers: Peer) -> None:
    """Let all peers allow each other."""
    for one in peers:
        for other in peers:
            if one is not other:
                one.store.peers.put(other.row())


def shared(topics: dict[str, str], first: int, host: str, min_pages: int = 1) -> Shared:
    """Return what a portal shares that was taught eight pages of each subject."""
    made = training(topics, range(first, first + 8), host)
    return shared_of(classifier_of(made), made, SharingRules(min_pages=min_pages))

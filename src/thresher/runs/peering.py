"""Wires a portal to its peers: its key, what it shares, its responder and its client; asking, and using models."""

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from thresher.build import make_guard, make_poster
from thresher.classify.opinions import opinions_file
from thresher.config.settings import Settings
from thresher.crawl.clock import RealClock
from thresher.errors import InputError
from thresher.learn.model_file import save
from thresher.peers.cards import name_in
from thresher.peers.client import PeerClient, SignedReply
from thresher.peers.keys import PeerKey, own_key
from thresher.peers.messages import nonces
from thresher.peers.neighbourhood import Neighbourhood, exchange
from thresher.peers.overlay import Neighbour
from thresher.peers.responder import PeerResponder, ResponderRules
from thresher.peers.sharing import PortalSharing, SharingRules
from thresher.peers.using import PeerNote, TopicPlan, Unusable, choose, failure_sentence, get_models, opinions_in_use
from thresher.store.model_files import model_path
from thresher.store.peer_records import PeerRow, PeerState
from thresher.store.protocol import Store
from thresher.web.guard import is_private
from thresher.web.urls import host_of
from thresher.work_faults import OwnAddress, PeerBlocked, PeerSilent, Untrained

NO_ADDRESS: Final = "Its address is unknown; ask it by its address."

_NONCE = nonces(os.urandom)


class Used(Struct, frozen=True):
    """The result of fetching and using models: the plan for each topic, and problems by peer."""

    plans: list[TopicPlan]
    notes: list[PeerNote]


class Peering:
    """A portal among its peers."""

    def __init__(
        self, portal: Path, store: Store, settings: Settings, clock: Callable[[], float] | None = None
    ) -> None:
        self._portal = portal
        self._store = store
        self._settings = settings
        self._clock = clock or RealClock().wall
        self.key: PeerKey = own_key(portal)
        self.name = own_name(portal, settings)
        self.address = settings.peers.address
        self._neighbourhood = Neighbourhood(self.key.public, store, Random(), size=settings.peers.neighbours)
        peers = settings.peers
        self.sharing = PortalSharing(portal, store, SharingRules(peers.topics, peers.min_pages, peers.page_ids))
        self.client = PeerClient(self.key, make_poster(settings, RealClock()), clock=self._clock, nonce=_NONCE)

    def responder(self, address: str = "") -> PeerResponder:
        """Return the responder that answers peers; `address` is this portal's address if the settings have none.

        A private address may mean something else on another machine, so it is announced only if `network.allow` lists
        it, as in a private network of portals.
        """
        host = host_of(address)
        told = not is_private(host) or make_guard(self._settings).names(host)
        self.address = self.address or (address if told else "")
        return PeerResponder(
            self.key,
            self._store,
            self.sharing,
            ResponderRules(self.name, self.address, self._settings.peers.messages),
            clock=self._clock,
            nonce=_NONCE,
            neighbourhood=self._neighbourhood,
        )

    def exchange(self) -> Neighbour | None:
        """Exchange neighbour lists with a random allowed peer and return it; None if that was not possible."""
        return asyncio.run(exchange(self._neighbourhood, self.client, self.key, self.address, self._clock))

    def neighbours(self) -> list[Neighbour]:
        """Return the neighbours known now."""
        return self._neighbourhood.entries(self._clock())

    def ask(self, address: str, *, name: str = "", key: str = "") -> tuple[PeerRow, PeerState]:
        """Ask the portal at an address for permission, and allow it here; return it and the state of the request.

        `key` is the public key it must have, empty to accept the one it answers with. Raises InputError if it does not
        answer, has another key, or is blocked here.
        """
        body = {"name": self.name, "address": self.address}
        found = asyncio.run(self.client.ask(key, address, "ask", body))
        if not isinstance(found, SignedReply):
            raise InputError(
                f"{address} did not answer. {failure_sentence(found)}",
                "Check the address, and try again.",
                PeerSilent(address=address, reason=found),
            )
        known = self._store.peers.get(found.sender)
        if found.sender == self.key.public:
            raise InputError("That is the address of this portal.", "Give the address of another portal.", OwnAddress())
        if known is not None and known.state is PeerState.BLOCKED:
            raise InputError(f"{known.name} is blocked.", "Allow it first.", PeerBlocked(name=known.name))
        said = found.body.get("name")
        told = name_in(said if isinstance(said, str) else "", found.sender)
        row = PeerRow(
            key=found.sender,
            name=name or (known.name if known else "") or told,
            address=address,
            state=PeerState.ALLOWED,
            since=self._clock(),
            seen=self._clock(),
        )
        self._store.peers.put(row)
        state = found.body.get("state")
        return row, PeerState.ALLOWED if state == PeerState.ALLOWED.value else PeerState.ASKED

    def use(self, *, loss: float | None = None, error: float | None = None) -> Used:
        """Fetch the models of all allowed peers, and activate those that match a topic."""
        shared = self.sharing.shared()
        if not shared.pages:
            raise InputError(
                "The portal has not been trained, so models cannot be tested.", "Train it first.", Untrained()
            )
        notes = asyncio.run(self._get())
        plans = choose(self._store, shared, self.key.public, loss=loss, error=error)
        self.write_opinions()
        return Used(plans, notes)

    async def _get(self) -> list[PeerNote]:
        notes: list[PeerNote] = []
        for peer in self._store.peers.all():
            if peer.state is not PeerState.ALLOWED:
                continue
            if not peer.address:
                notes.append(PeerNote(peer.key, peer.name, NO_ADDRESS, Unusable.NO_ADDRESS))
                continue
            found = await get_models(self.client, peer, self.sharing.shared(), at=self._clock())
            # If a peer did not answer completely, its previous models stay.
            if isinstance(found, PeerNote):
                notes.append(found)
                continue
            notes += found.notes
            self._store.peers.put_models(peer.key, found.models)
            self._store.peers.put_measures(peer.key, found.measures)
        return notes

    def write_opinions(self) -> None:
        """Write the opinions in use to the file read by crawls and filters; remove it if there are none."""
        write_opinions(self._portal, self._store, self.key.public)


def own_name(portal: Path, settings: Settings) -> str:
    """Return the name a portal uses among peers."""
    return settings.peers.name or settings.portal.title or portal.resolve().name


def write_opinions(portal: Path, store: Store, own: str) -> None:
    """Write the opinions in use to the folder of the models, or remove the file if there are none."""
    file = opinions_file(Path(model_path(portal, "any.zip")))
    found = opinions_in_use(store, own)
    if found:
        save(file, msgspec.json.encode(found))
    else:
        file.unlink(missing_ok=True)


def matched_peers(store: Store, topic: str) -> list[tuple[PeerRow, str]]:
    """Return the allowed peers with a topic that matches one of ours, and their name for it."""
    peers = {row.key: row for row in store.peers.all() if row.state is PeerState.ALLOWED and row.address}
    return [
        (peers[row.peer], row.topic) for row in store.peers.models(used=True) if row.own == topic and row.peer in peers
    ]


def forgotten(portal: Path, store: Store, peers: Sequence[PeerRow], own: str, *, keep: bool = False) -> None:
    """Remove everything that peers sent, including their opinions, and the peers themselves unless `keep` is set."""
    for peer in peers:
        store.peers.forget(peer.key, keep=keep)
    write_opinions(portal, store, own)

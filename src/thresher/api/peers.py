"""Other portals: listing, asking and allowing them, and using the models they send."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from thresher.api.peer_data import NeighbourData, PeerData, PeerModelData, PeersData, PeersUsed
from thresher.counting import counted
from thresher.errors import InputError, UsageError, command
from thresher.faults import RequestUnfit
from thresher.store.peer_records import PeerModelRow, PeerRow, PeerState
from thresher.store.protocol import Store
from thresher.store.repository import open_store
from thresher.work_faults import NoPeer, NotAnAddress

if TYPE_CHECKING:
    from thresher.config.settings import Settings
    from thresher.peers.overlay import Neighbour
    from thresher.peers.using import PeerNote, TopicPlan
    from thresher.runs.peering import Peering

HOST = "127.0.0.1"
PORT = 8090


class PeerModel(Struct, frozen=True, kw_only=True):
    """A model that a peer sent.

    `own` is the topic of this portal that it matches, or None; `accuracy` is measured on the training pages of this
    portal. It has a vote while it is `used`.
    """

    topic: str
    own: str | None
    version: str
    accuracy: float | None
    used: bool

    def to_dict(self) -> PeerModelData:
        """Return the object that `thresher peers --json` prints for it."""
        accuracy = None if self.accuracy is None else round(self.accuracy, 4)
        return {
            "topic": self.topic,
            "own": self.own,
            "version": self.version,
            "accuracy": accuracy,
            "used": self.used,
        }


class Peer(Struct, frozen=True, kw_only=True):
    """Another portal, known by its public key.

    `state` is allowed, asked (waiting for your answer) or blocked; `seen` is the time of its last valid message in
    seconds since 1970, or None.
    """

    key: str
    name: str
    address: str
    state: PeerState
    seen: float | None
    models: tuple[PeerModel, ...] = ()

    @property
    def spaced_key(self) -> str:
        """The key in groups of four digits, for comparison by people."""
        return _spaced(self.key)

    @property
    def in_use(self) -> int:
        """How many of its models have a vote."""
        return sum(model.used for model in self.models)

    def to_dict(self) -> PeerData:
        """Return the object that `thresher peers --json` prints for it."""
        return {
            "key": self.key,
            "name": self.name,
            "address": self.address,
            "state": self.state.value,
            "seen": self.seen,
            "models": [model.to_dict() for model in self.models],
        }


class AskedPeer(Struct, frozen=True):
    """A portal that was asked; `allows` says whether its owner has already allowed this portal."""

    peer: Peer
    allows: bool


class UsedModels(Struct, frozen=True):
    """The models in use: the plan for each topic, and notes on problems with peers."""

    portal: Path
    plans: "list[TopicPlan]"
    notes: "list[PeerNote]"

    def to_dict(self) -> PeersUsed:
        """Return the object that `thresher peers use --json` prints."""
        return {
            "portal": str(self.portal),
            "topics": [
                {
                    "topic": one.topic,
                    "models": one.models,
                    "loss": None if one.plan is None else round(one.plan.loss, 4),
                    "error": None if one.plan is None else round(one.plan.error, 4),
                    "reached": one.reached,
                }
                for one in self.plans
            ],
            "notes": [
                {"peer": note.peer, "name": note.name, "sentence": note.sentence, "reason": note.reason}
                for note in self.notes
            ],
        }


class Peers:
    """Other portals, sorted by name; get it from `portal.peers`.

    Iterate over it, or take its length. A peer is identified by its name, its key or the first digits of its key. Pages
    never leave a portal; PEERS.md says what does.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def name(self) -> str:
        """The name of this portal among peers."""
        from thresher.runs.peering import own_name

        return own_name(self._path, self._settings())

    @property
    def key(self) -> str:
        """The public key of this portal; the key pair is created on first use."""
        from thresher.peers.keys import own_key

        return own_key(self._path).public

    @property
    def spaced_key(self) -> str:
        """The public key of this portal in groups of four digits."""
        return _spaced(self.key)

    @property
    def address(self) -> str:
        """The address at which other portals reach this one, empty if none is set."""
        return self._settings().peers.address

    def listed(self) -> list[Peer]:
        """Return all peers with their models."""
        with closing(open_store(self._path, read_only=True)) as store:
            models = store.peers.models()
            return [_peer(row, models) for row in store.peers.all()]

    def get(self, peer: str) -> Peer:
        """Return a peer; raise InputError if there is none, or more than one."""
        with closing(open_store(self._path, read_only=True)) as store:
            return _peer(self._row(store, peer), store.peers.models())

    def neighbours(self) -> "list[Neighbour]":
        """Return the portals known through peers, each with its address and the time it was last seen."""
        with closing(open_store(self._path)) as store:
            return self._peering(store).neighbours()

    def ask(self, address: str, *, name: str = "", key: str = "") -> AskedPeer:
        """Ask the portal at an address to exchange models, and allow it here.

        `name` is what to call it. `key` is the public key it must have; without one, compare the key in the result with
        what its owner tells you. Raises InputError if the portal does not answer, has another key, or is blocked.
        """
        from thresher.peers.cards import is_address
        from thresher.peers.keys import is_public_key

        wanted = key.replace(" ", "").lower()
        if wanted and not is_public_key(wanted):
            raise UsageError(
                "A public key has 64 hexadecimal digits.",
                "Copy it from the list that `thresher peers` prints in the other portal.",
                NotAnAddress(name=key[:80]),
            )
        if not is_address(address):
            raise InputError(
                f"'{address[:200]}' is not the address of a portal.",
                "Write it like https://portal.example/",
                NotAnAddress(name=address[:200]),
            )
        with closing(open_store(self._path)) as store:
            row, state = self._peering(store).ask(address, name=name, key=wanted)
            return AskedPeer(_peer(row, store.peers.models()), state is PeerState.ALLOWED)

    def allow(self, peer: str, *, name: str = "") -> Peer:
        """Allow a portal that has asked, or one that was blocked; `name` is what to call it from now on."""
        with closing(open_store(self._path)) as store:
            row = self._row(store, peer)
            allowed = replace(row, state=PeerState.ALLOWED, since=time.time(), name=name or row.name)
            store.peers.put(allowed)
            return _peer(allowed, store.peers.models())

    def use(self, *, loss: float | None = None, error: float | None = None) -> UsedModels:
        """Fetch the models of all allowed peers, test them on this portal's training pages, and use those that match.

        Crawls and filters use them from then on. With a maximum `loss` or `error`, only as many are used as are
        expected to be needed. Raises InputError if the portal was never trained.
        """
        for what, share in (("loss", loss), ("error", error)):
            if share is not None and not 0 <= share <= 1:
                raise UsageError(f"The {what} cannot be {share:g}.", "Give a number from 0 to 1.", RequestUnfit())
        with closing(open_store(self._path)) as store:
            used = self._peering(store).use(loss=loss, error=error)
        return UsedModels(self._path, used.plans, used.notes)

    def forget(self, peer: str, *, block: bool = False) -> Peer:
        """Remove a peer with all its models and return it as it was; with `block`, it cannot ask again."""
        from thresher.runs.peering import forgotten

        with closing(open_store(self._path)) as store:
            row = self._row(store, peer)
            before = _peer(row, store.peers.models())
            if block:
                store.peers.put(replace(row, state=PeerState.BLOCKED, since=time.time()))
            forgotten(self._path, store, [row], self.key, keep=block)
        return before

    def serve(self, *, host: str = HOST, port: int = PORT, ready: Callable[[str], None] | None = None) -> None:
        """Answer peers without the web portal, until Ctrl-C; call `ready` with the address once it does.

        Port 0 picks a free one.
        """
        from thresher.runs.peer_serving import serve_peers

        serve_peers(self._path, self._settings(), host, port, ready or (lambda _: None))

    def to_dict(self) -> PeersData:
        """Return the object that `thresher peers --json` prints."""
        listed = self.listed()
        known = {peer.key for peer in listed}
        around: list[NeighbourData] = [
            {"key": one.key, "address": one.address, "at": one.at, "known": one.key in known}
            for one in self.neighbours()
        ]
        return {
            "portal": str(self._path),
            "name": self.name,
            "key": self.key,
            "address": self.address,
            "peers": [peer.to_dict() for peer in listed],
            "neighbours": around,
        }

    def __iter__(self) -> Iterator[Peer]:
        return iter(self.listed())

    def __len__(self) -> int:
        return len(self.listed())

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'peer')}>"

    def _settings(self) -> "Settings":
        from thresher.config.load import load

        return load(self._path).settings

    def _peering(self, store: Store) -> "Peering":
        from thresher.runs.peering import Peering

        return Peering(self._path, store, self._settings())

    def _row(self, store: Store, wanted: str) -> PeerRow:
        """Return the peer with the given name, key or key prefix.

        Peers choose their own names, so a name never takes precedence over a key.
        """
        from thresher.peers.cards import LEAST_DIGITS

        digits = wanted.replace(" ", "").lower()
        whole = store.peers.get(digits)
        if whole is not None:
            return whole
        enough = len(digits) >= LEAST_DIGITS
        found = [row for row in store.peers.all() if row.name == wanted or (enough and row.key.startswith(digits))]
        if len(found) == 1:
            return found[0]
        if found:
            raise InputError(
                f"'{wanted[:200]}' matches {len(found)} peers.",
                "Give more digits of the key.",
                NoPeer(name=wanted[:200]),
            )
        raise InputError(
            f"There is no peer '{wanted[:200]}'.",
            f"List them: {command('peers', self._path)}",
            NoPeer(name=wanted[:200]),
        )


def _spaced(key: str) -> str:
    from thresher.peers.keys import shown

    return shown(key)


def _peer(row: PeerRow, models: list[PeerModelRow]) -> Peer:
    sent = tuple(
        PeerModel(topic=one.topic, own=one.own, version=one.version, accuracy=one.accuracy, used=one.used)
        for one in models
        if one.peer == row.key
    )
    return Peer(key=row.key, name=row.name, address=row.address, state=row.state, seen=row.seen or None, models=sent)

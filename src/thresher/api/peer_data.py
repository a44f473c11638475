"""The objects that `thresher peers` prints with `--json`."""

from typing import TypedDict


class PeerModelData(TypedDict):
    """A model that a peer sent; `own` is the topic of this portal it matches, null for none."""

    topic: str
    own: str | None
    version: str
    accuracy: float | None
    used: bool


class PeerData(TypedDict):
    """Another portal; `state` is allowed, asked or blocked, `seen` is in seconds since 1970."""

    key: str
    name: str
    address: str
    state: str
    seen: float | None
    models: list[PeerModelData]


class NeighbourData(TypedDict):
    """A portal heard of through peers; `known` is true if it is among the peers."""

    key: str
    address: str
    at: float
    known: bool


class PeersData(TypedDict):
    """This portal's own name, key and address, and all its peers."""

    portal: str
    name: str
    key: str
    address: str
    peers: list[PeerData]
    neighbours: list[NeighbourData]


class AskedData(PeersData):
    """Printed by `ask`: the same, with the key of the portal that was asked, and whether it allows this one already."""

    asked: str
    allows: bool


class TopicPlanData(TypedDict):
    """The models in use for a topic, and the expected loss and error of a unanimous vote; null if unknown."""

    topic: str
    models: int
    loss: float | None
    error: float | None
    reached: bool


class PeerNoteData(TypedDict):
    """What went wrong with a peer, in a sentence; `reason` is its short name."""

    peer: str
    name: str
    sentence: str
    reason: str


class PeersUsed(TypedDict):
    """Printed by `use`: the models in use for each topic, and what went wrong with peers."""

    portal: str
    topics: list[TopicPlanData]
    notes: list[PeerNoteData]


class PeersServed(TypedDict):
    """Printed by `serve` when it is ready."""

    portal: str
    address: str
    key: str

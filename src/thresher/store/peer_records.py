"""Rows for other portals: who they are, the models they sent, and how good these are."""

from enum import StrEnum

from msgspec import Struct


class PeerState(StrEnum):
    """What a peer may do: exchange models, wait for the owner's answer, or nothing."""

    ALLOWED = "allowed"
    ASKED = "asked"
    BLOCKED = "blocked"


class PeerRow(Struct, frozen=True, kw_only=True):
    """Another portal, identified by its public key.

    `name` is the owner's name for it, `address` the URL of its server, empty if unknown. `since` is when its state was
    set, `seen` when its last valid message arrived, 0 for never.
    """

    key: str
    name: str
    address: str
    state: PeerState
    since: float
    seen: float = 0.0


class NeighbourRow(Struct, frozen=True):
    """An entry of the neighbour list: the address that a peer announces, when it did so, and its signature."""

    key: str
    address: str
    at: float
    signature: str


class PeerModelRow(Struct, frozen=True, kw_only=True):
    """A model that a peer sent for one of its topics; a newer version replaces it.

    `own` is the matching topic of ours, None for none. `accuracy`, its lower bound `low`, `centre` and `unit` are
    measured on our own `pages`; the first two are None if that was not possible. It has a vote while it is `used`.
    `model` is JSON that was checked on arrival.
    """

    peer: str
    topic: str
    version: str
    own: str | None
    at: float
    accuracy: float | None
    low: float | None
    pages: int
    centre: float
    unit: float
    used: bool
    model: bytes


class PeerMeasureRow(Struct, frozen=True, kw_only=True):
    """One peer's measurement of another's model, on its own pages.

    `topic` is the name of the model's topic if we measured it ourselves; peers report only its version, which is then
    also used as `topic`.
    """

    measurer: str
    peer: str
    topic: str
    version: str
    accuracy: float
    pages: int
    at: float

"""The objects that `serve`, `report`, `users`, `config`, `doctor` and `web` print with `--json`."""

from typing import Any, TypedDict

from thresher.api.morning_report import ReportData


class ServeData(TypedDict):
    """Printed when the server is ready; `first_account` is a link for creating one, null if there are accounts."""

    portal: str
    address: str
    first_account: str | None


class ReportText(ReportData):
    """What happened from `since` until `until`, in seconds since 1970; `summary` says it in the portal's language.

    `read` counts fetched pages, `kept` those that a topic accepted; `new`, `changed` and `gone` count pages of the
    portal. `doubtful` are the least likely of `doubts` new pages. `failed` counts failed URLs by reason, `given_up` are
    hosts.
    """

    summary: str


class UserData(TypedDict):
    """An account; `made` is in seconds since 1970."""

    name: str
    role: str
    made: float


class UsersData(TypedDict):
    """All accounts."""

    portal: str
    users: list[UserData]


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


class TopicPlanData(TypedDict):
    """The models in use for a topic, and the expected loss and error of a unanimous vote; null if unknown."""

    topic: str
    models: int
    loss: float | None
    error: float | None
    reached: bool


class PeerNoteData(TypedDict):
    """What went wrong with a peer."""

    peer: str
    name: str
    sentence: str


class PeersUsed(TypedDict):
    """Printed by `use`."""

    portal: str
    topics: list[TopicPlanData]
    notes: list[PeerNoteData]


class PeersServed(TypedDict):
    """Printed by `serve` when it is ready."""

    portal: str
    address: str
    key: str


class SettingData(TypedDict):
    """A setting, its value and where the value comes from."""

    key: str
    value: Any
    source: str
    meaning: str


class SettingsData(TypedDict):
    """All settings, or those of one section."""

    settings: list[SettingData]


class CheckData(TypedDict):
    """A check; `state` is ok, warn or fail, `remedy` says what to do."""

    name: str
    state: str
    detail: str
    remedy: str


class DoctorData(TypedDict):
    """All checks; `healthy` is false if one failed."""

    checks: list[CheckData]
    healthy: bool


class WebData(TypedDict):
    """The generated web."""

    directory: str
    pages: int
    hosts: int
    topics: list[str]


class ServedWebData(TypedDict):
    """Printed when the server is ready."""

    directory: str
    port: int
    start_pages: list[str]

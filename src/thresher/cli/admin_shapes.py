"""The objects that `serve`, `users`, `config`, `doctor` and `web` print with `--json`."""

from typing import Any, TypedDict


class ServeData(TypedDict):
    """Printed when the portal answers; `first_account` is a link to create one, null if there are accounts."""

    portal: str
    address: str
    first_account: str | None


class UserData(TypedDict):
    """An account; `made` is in seconds since 1970."""

    name: str
    role: str
    made: float


class UsersData(TypedDict):
    """All accounts."""

    portal: str
    users: list[UserData]


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
    """Printed when the web answers."""

    directory: str
    port: int
    start_pages: list[str]

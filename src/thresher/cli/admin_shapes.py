"""The objects that `serve`, `report`, `config`, `doctor` and `web` print with `--json`."""

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


class ServedSitesData(TypedDict):
    """Printed when the server is ready; `sites` is the number of sites."""

    port: int
    topics: list[str]
    sites: int

"""The objects that `history` and `sessions` print with `--json`."""

from typing import NotRequired, TypedDict


class ProfileData(TypedDict):
    """A profile of a browser on this machine, and its history."""

    browser: str
    profile: str
    file: str


class DomainData(TypedDict):
    """The pages of the sessions on one domain; times are in seconds since 1970, null if unknown."""

    domain: str
    pages: int
    useful: int
    first: float | None
    last: float | None


class HistoryData(TypedDict):
    """The result of an action; `done` is false if it only showed what it would do.

    `sessions`, `pages`, `useful`, `links` and `domains` are about the sessions found by import, kept (show), or
    affected (forget). `new` counts the sessions that import added, `profiles` lists the browsers found.
    """

    portal: str
    action: str
    done: bool
    sessions: int
    pages: int
    useful: int
    links: int
    domains: list[DomainData]
    new: NotRequired[int]
    profiles: NotRequired[list[ProfileData]]


class BrowsedPageData(TypedDict):
    """A page of a session; `clicks` is its distance from a useful page in links, null if no path leads there."""

    url: str
    title: str
    at: float | None
    useful: bool
    clicks: int | None


class SessionData(TypedDict):
    """A kept session; `source` is firefox, chrome, file, extension or crawl. Only `show` adds `page_list`."""

    id: int
    source: str
    label: str
    first: float | None
    last: float | None
    pages: int
    useful: int
    links: int
    page_list: NotRequired[list[BrowsedPageData]]


class SessionsData(TypedDict):
    """The kept sessions; `unread` counts the pages whose words are not known yet, which `fetch` lists."""

    portal: str
    sessions: list[SessionData]
    pages: int
    useful: int
    links: int
    unread: int
    fetch: NotRequired[list[str]]

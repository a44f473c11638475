"""What a shard knows about a host and its registered domain; each is a gate that can hold back queues."""

from typing import Any

from thresher.reasons import Reason
from thresher.store.url_records import MissingPage


class Gate:
    """Something that can keep queues waiting; `active` counts the fetches in progress behind it."""

    __slots__ = ("active",)

    def __init__(self) -> None:
        self.active = 0


class Domain(Gate):
    """A registered domain; `hosts` counts its hosts in memory, `lines` is what the frontier parked here, by queue.

    `idle` is the capacity of its idle hosts: those never asked, and those that have answered.
    """

    __slots__ = ("hosts", "idle", "lines")

    def __init__(self) -> None:
        super().__init__()
        self.hosts = 0
        self.idle = [0.0, 0.0]
        self.lines: dict[Any, list[Any]] = {}


class Host(Gate):
    """A host of this crawl; times are on the clock's `now` scale.

    `asking` is set while its robots.txt or a page that cannot exist is being requested. `parked` holds what the
    frontier parked here; `spent` and `missing`, by origin, are as in its row. `answers` says whether it has ever
    answered, None before it was asked; `weighed` is how it counts in the capacity: used, idle, and whether it answers.
    `standing` is added to the scores of its pages. `topic` is the topic of more than half of its accepted pages, if
    there is one, and `topic_lead` its lead in votes. `unanswered` counts consecutive failed requests for its
    robots.txt.
    """

    __slots__ = (
        "accepted",
        "answers",
        "asking",
        "closed",
        "delay",
        "domain",
        "failures",
        "fetched",
        "free_at",
        "missing",
        "name",
        "parked",
        "spent",
        "standing",
        "topic",
        "topic_lead",
        "unanswered",
        "waiting",
        "weighed",
    )

    def __init__(self, name: str, domain: Domain) -> None:
        super().__init__()
        self.name = name
        self.domain = domain
        self.parked: list[Any] = []
        self.free_at = 0.0
        self.delay = 0.0
        self.fetched = 0
        self.accepted = 0
        self.failures = 0
        self.waiting = 0
        self.spent = 0
        self.missing: dict[str, MissingPage] = {}
        self.asking = False
        self.closed: Reason | None = None
        self.standing = 0.0
        self.topic = ""
        self.topic_lead = 0
        self.unanswered = 0
        self.answers: bool | None = None
        self.weighed = (0.0, 0.0, False)

    def belongs(self, topic: str) -> None:
        """Count a page that a topic accepted (Boyer–Moore majority vote)."""
        if not self.topic_lead:
            self.topic = topic
        self.topic_lead += 1 if topic == self.topic else -1

"""Rows for organising steps after a crawl: splitting, filtering, removing duplicates."""

from enum import StrEnum
from typing import Any, Final, NamedTuple

from msgspec import Struct

MISCELLANEOUS: Final = "Miscellaneous"
"""The topic of pages that a filter took out of every topic."""

DUPLICATES: Final = "Duplicates"
"""The topic of pages that say the same as a better one."""


class StepKind(StrEnum):
    """What a step did."""

    SPLIT = "split"
    FILTER = "filter"
    DEDUPE = "dedupe"


class StepRow(Struct, frozen=True, kw_only=True):
    """A step that moved pages; `topic` is None if it was about all topics.

    While a step stands, the topic that it `hides` is left out of lists and searches that do not ask for it by name.
    `detail` is what undoing it needs to know beside the moves, and what may be told of it. `pages` is the number of
    pages it moved. `undone` is the wall time at which it was undone, None while it stands. `id` is 0 for a step that is
    not written yet.
    """

    kind: StepKind
    at: float
    topic: str | None = None
    detail: dict[str, Any] = {}
    hides: str | None = None
    pages: int = 0
    undone: float | None = None
    id: int = 0


class PageMove(NamedTuple):
    """A page that a step moved from one topic to another."""

    page: int
    before: str | None
    after: str | None

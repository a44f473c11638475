"""Rows for organising steps after a crawl: splitting, filtering, removing duplicates."""

from enum import StrEnum
from typing import Any, Final, NamedTuple

from msgspec import Struct

MISCELLANEOUS: Final = "Miscellaneous"
"""The topic for pages that a filter removed from every topic."""

DUPLICATES: Final = "Duplicates"
"""The topic for pages that say the same as a better one."""


class StepKind(StrEnum):
    """The kind of a step."""

    SPLIT = "split"
    FILTER = "filter"
    DEDUPE = "dedupe"


class StepRow(Struct, frozen=True, kw_only=True):
    """A step that moved pages; `topic` is None if it was about all topics.

    While a step is in effect, the topic it `hides` is left out of lists and searches unless they name it. `detail` has
    what undoing needs besides the moves, and what can be shown about it. `pages` is the number of pages it moved.
    `undone` is the wall time at which it was undone, None while it is in effect. `id` is 0 until the step is written.
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

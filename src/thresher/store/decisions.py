"""People's decisions about pages and the portal: rows and tables."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from thresher.store.page_records import ReviewState


class DecisionKind(StrEnum):
    """What a person says about a page; `later` postpones the decision.

    A page is `removed` together with the page that brought it in. Nobody has judged it, so it teaches nothing.
    """

    RIGHT = "right"
    MOVED = "moved"
    IRRELEVANT = "irrelevant"
    LATER = "later"
    REMOVED = "removed"

    @property
    def judges(self) -> bool:
        """Whether the decision says something about the page itself."""
        return self not in (DecisionKind.LATER, DecisionKind.REMOVED)


class DecisionRow(Struct, frozen=True, kw_only=True):
    """A decision about a page shown under the topic `shown`, None for a page that no topic accepted.

    `topic` is where it belongs, None for an irrelevant page. `undone` is when the decision was undone, None while it
    holds.
    """

    page: int
    url: str
    kind: DecisionKind
    at: float
    shown: str | None = None
    topic: str | None = None
    user: int | None = None
    id: int = 0
    undone: float | None = None


def renamed(row: DecisionRow, before: str, after: str) -> DecisionRow:
    """Return a decision with its topics updated after a topic was renamed or moved.

    >>> row = DecisionRow(page=1, url="", kind=DecisionKind.RIGHT, at=0.0, shown="Tea/Green", topic="Teapots")
    >>> renamed(row, "Tea", "Drinks/Tea").shown, renamed(row, "Tea", "Drinks/Tea").topic
    ('Drinks/Tea/Green', 'Teapots')
    """

    def new(topic: str | None) -> str | None:
        below = topic is not None and (topic == before or topic.startswith(f"{before}/"))
        return after + topic[len(before) :] if below and topic is not None else topic

    return replace(row, shown=new(row.shown), topic=new(row.topic))


class NamedTopics(NamedTuple):
    """The topics that decision `number` names."""

    number: int
    shown: str | None
    topic: str | None


class Decided(NamedTuple):
    """What people have settled about a page: its topic, None for none, and its review state."""

    topic: str | None
    state: ReviewState


class DoubtfulPage(NamedTuple):
    """An undecided page; `topic` is the one it may belong to, `accepted` says whether it is in it now.

    `probability` is NaN if the classifier gives none.
    """

    id: int
    url: str
    host: str
    topic: str
    confidence: float
    probability: float
    accepted: bool


class LessonState(StrEnum):
    """The state of a lesson: `wanted` while a process estimates it, then `ready` to be applied."""

    WANTED = "wanted"
    READY = "ready"
    APPLIED = "applied"
    UNDONE = "undone"
    FAILED = "failed"


class LessonRow(Struct, frozen=True, kw_only=True):
    """What answers would teach: `report` is the estimate as data, `pid` the process working on it, 0 for none."""

    at: float
    state: LessonState
    user: int | None = None
    pid: int = 0
    report: dict[str, Any] = {}
    id: int = 0


class DeedRow(Struct, frozen=True, kw_only=True):
    """A change made by a person: its `kind`, what it was `about`, and the text before and after."""

    kind: str
    about: str
    before: str
    after: str
    at: float
    user: int | None = None
    id: int = 0
    undone: float | None = None


class Decisions(Protocol):
    """People's decisions about pages. Everything written is durable at once."""

    def add(self, row: DecisionRow) -> int:
        """Add a decision, settle its page accordingly, and return its number."""

    def add_all(self, rows: Sequence[DecisionRow]) -> list[int]:
        """Add decisions in one transaction and return their numbers in the same order."""

    def mark_all(self, numbers: Sequence[int], undone: float | None) -> None:
        """Undo decisions in one transaction, or reinstate them for None; unknown numbers are ignored."""

    def undo(self, number: int, at: float) -> DecisionRow | None:
        """Undo a decision and settle its page by the earlier ones; None if there is no such decision.

        A decision that is already undone stays so.
        """

    def redo(self, number: int) -> DecisionRow | None:
        """Reinstate an undone decision; None if there is no such decision."""

    def get(self, number: int) -> DecisionRow | None:
        """Return a decision, or None if there is none with that number."""

    def all(self, limit: int = 0, offset: int = 0) -> list[DecisionRow]:
        """Return decisions, including undone ones, newest first; a limit of 0 returns all."""

    def count(self) -> int:
        """Return the number of decisions, including undone ones."""

    def of_page(self, page: int) -> list[DecisionRow]:
        """Return the decisions about a page, oldest first."""

    def settled(self, pages: Sequence[int] | None = None) -> dict[int, Decided]:
        """Return what is settled, by page id: for some pages, or for all if None."""

    def rename(self, before: str, after: str, only: Sequence[int] | None = None) -> list[NamedTopics]:
        """Rename a topic, and all below it, in decisions; return the topics they named before.

        If `only` is given, only those decisions change.
        """

    def restore(self, rows: Sequence[NamedTopics]) -> None:
        """Set the topics that decisions name and settle their pages again; unknown numbers are ignored."""

    def doubtful(self, topics: Sequence[str], limit: int) -> list[DoubtfulPage]:
        """Return at most `limit` undecided pages of each topic, least confident first."""

    def nearly_accepted(self, limit: int) -> list[DoubtfulPage]:
        """Return undecided pages that no topic accepted, the closest to acceptance first."""


class Lessons(Protocol):
    """Lessons from answers, estimated or applied. Everything written is durable at once."""

    def put(self, row: LessonRow) -> LessonRow:
        """Write a lesson, a new one if its number is 0, and return it with its number."""

    def swap(self, seen: LessonRow, row: LessonRow) -> bool:
        """Replace a lesson if its state and process are still as seen; return whether they were."""

    def get(self, number: int) -> LessonRow | None:
        """Return a lesson, or None if there is none with that number."""

    def all(self) -> list[LessonRow]:
        """Return all lessons, newest first."""


class Deeds(Protocol):
    """Other changes made by people. Everything written is durable at once."""

    def add(self, row: DeedRow) -> int:
        """Add a deed and return its number."""

    def undone(self, number: int, at: float | None) -> None:
        """Record when a deed was undone; None if it is in effect again."""

    def get(self, number: int) -> DeedRow | None:
        """Return a deed, or None if there is none with that number."""

    def all(self, kinds: Sequence[str] = (), limit: int = 100) -> list[DeedRow]:
        """Return the newest deeds, of some kinds or all, including undone ones."""

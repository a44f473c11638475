"""People's decisions about pages and the portal: rows and tables."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from thresher.store.page_records import ReviewState


class DecisionKind(StrEnum):
    """What a person says of a page; `later` says nothing yet.

    A page is `removed` together with the one that brought it in. Nobody has judged it, so it teaches nothing.
    """

    RIGHT = "right"
    MOVED = "moved"
    IRRELEVANT = "irrelevant"
    LATER = "later"
    REMOVED = "removed"

    @property
    def judges(self) -> bool:
        """Whether it says something of the page itself."""
        return self not in (DecisionKind.LATER, DecisionKind.REMOVED)


class DecisionRow(Struct, frozen=True, kw_only=True):
    """A decision about a page that was shown under the topic `shown`, None for a page that no topic took.

    `topic` is where it belongs, None for an irrelevant page. `undone` is when the decision was taken back, None while
    it holds.
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
    """Return a decision with the topics it names as they are called since a topic has another name.

    >>> row = DecisionRow(page=1, url="", kind=DecisionKind.RIGHT, at=0.0, shown="Tea/Green", topic="Teapots")
    >>> renamed(row, "Tea", "Drinks/Tea").shown, renamed(row, "Tea", "Drinks/Tea").topic
    ('Drinks/Tea/Green', 'Teapots')
    """

    def new(topic: str | None) -> str | None:
        below = topic is not None and (topic == before or topic.startswith(f"{before}/"))
        return after + topic[len(before) :] if below and topic is not None else topic

    return replace(row, shown=new(row.shown), topic=new(row.topic))


class NamedTopics(NamedTuple):
    """The topics that the decision `number` names."""

    number: int
    shown: str | None
    topic: str | None


class Settled(NamedTuple):
    """What a person has settled about a page: its topic, None for none, and how that is called."""

    topic: str | None
    state: ReviewState


class Doubt(NamedTuple):
    """A page that nobody has decided about; `topic` is the one it may belong to, `accepted` whether it is in it now.

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
    """How far a lesson is: `wanted` while a process estimates it, `ready` to be applied."""

    WANTED = "wanted"
    READY = "ready"
    APPLIED = "applied"
    UNDONE = "undone"
    FAILED = "failed"


class LessonRow(Struct, frozen=True, kw_only=True):
    """What answers would teach: `report` is the estimate as data, `pid` the process that works on it, 0 for none."""

    at: float
    state: LessonState
    user: int | None = None
    pid: int = 0
    report: dict[str, Any] = {}
    id: int = 0


class DeedRow(Struct, frozen=True, kw_only=True):
    """Something a person changed: its `kind`, what it was `about`, and the text of it before and after."""

    kind: str
    about: str
    before: str
    after: str
    at: float
    user: int | None = None
    id: int = 0
    undone: float | None = None


class Decisions(Protocol):
    """What people have decided about pages. Everything written is durable at once."""

    def add(self, row: DecisionRow) -> int:
        """Add a decision, settle its page by it, and return its number."""

    def add_all(self, rows: Sequence[DecisionRow]) -> list[int]:
        """Add decisions in one transaction, and return their numbers in the same order."""

    def mark_all(self, numbers: Sequence[int], undone: float | None) -> None:
        """Undo decisions in one transaction, or let them hold again for None; unknown numbers are left out."""

    def undo(self, number: int, at: float) -> DecisionRow | None:
        """Take a decision back, and settle its page by what was decided before; None if there is no such decision.

        A decision that was undone already stays so.
        """

    def redo(self, number: int) -> DecisionRow | None:
        """Let a decision hold again that was undone; None if there is no such decision."""

    def get(self, number: int) -> DecisionRow | None:
        """Return a decision, None if there is none of that number."""

    def all(self, limit: int = 0, offset: int = 0) -> list[DecisionRow]:
        """Return decisions, the newest first, those undone among them; a limit of 0 gives all."""

    def count(self) -> int:
        """Return how many decisions there are, those undone among them."""

    def of_page(self, page: int) -> list[DecisionRow]:
        """Return the decisions about a page, oldest first."""

    def settled(self, pages: Sequence[int] | None = None) -> dict[int, Settled]:
        """Return what is settled, by the ids of pages: of some, or of all for None."""

    def rename(self, before: str, after: str, only: Sequence[int] | None = None) -> list[NamedTopics]:
        """Give decisions about a topic and all below it another topic; return the topics that they named before.

        `only` some of them are changed, where that is given.
        """

    def restore(self, rows: Sequence[NamedTopics]) -> None:
        """Let decisions name other topics, and settle their pages again; unknown numbers are left out."""

    def doubtful(self, topics: Sequence[str], limit: int) -> list[Doubt]:
        """Return at most `limit` undecided pages of each topic, the least confident first."""

    def nearly_accepted(self, limit: int) -> list[Doubt]:
        """Return undecided pages that no topic took, the nearest to one first."""


class Lessons(Protocol):
    """What answers would teach, or did. Everything written is durable at once."""

    def put(self, row: LessonRow) -> LessonRow:
        """Write a lesson, a new one for the number 0, and return it with its number."""

    def swap(self, seen: LessonRow, row: LessonRow) -> bool:
        """Replace a lesson if its state and its process are still those that were seen; tell whether they were."""

    def get(self, number: int) -> LessonRow | None:
        """Return a lesson, None if there is none of that number."""

    def all(self) -> list[LessonRow]:
        """Return all lessons, the newest first."""


class Deeds(Protocol):
    """What people have changed besides. Everything written is durable at once."""

    def add(self, row: DeedRow) -> int:
        """Add a deed and return its number."""

    def undone(self, number: int, at: float | None) -> None:
        """Note when a deed was undone; None for one that holds again."""

    def get(self, number: int) -> DeedRow | None:
        """Return a deed, None if there is none of that number."""

    def all(self, kinds: Sequence[str] = (), limit: int = 100) -> list[DeedRow]:
        """Return the newest deeds, of some kinds or of all, those undone among them."""

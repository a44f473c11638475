"""Lessons: what review decisions teach about other pages, estimated, applied and undone."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from msgspec import Struct
from msgspec.structs import replace

from thresher.errors import InputError, ThresherError
from thresher.store.decisions import LessonRow, LessonState
from thresher.store.protocol import Store
from thresher.store.repository import open_store
from thresher.work_faults import NoLesson
from thresher.work_steps import OnStep, nobody


class TopicEffectData(TypedDict):
    """The effect of the answers on a topic: how many of them it judged as you did, before and after.

    `teaches` is false if the topic does not learn from them because it would get worse.
    """

    topic: str
    answers: int
    before: int
    after: int
    teaches: bool


class LessonData(TypedDict):
    """A lesson; a key is missing until the estimate has found its value.

    `state` is `wanted`, `ready`, `applied`, `undone` or `failed`; if it failed, `error` says why. `before` and `after`
    are the shares of your answers that the classifier judges as you did, without and with the other answers; `interval`
    is the 95 % interval of `after`. Applying the lesson moves `moved` of the pages `looked_at`: `moves` counts them as
    [from, to, pages], `pages` names some as [url, title, from, to]. `yes` are the answers that teach which
    pages belong to a topic, as [url, topic], `refused` those that teach which do not, `again` the pages worth asking
    about again. `last` is the newest decision counted. `based_on` and `step` identify the previous model, `file` and
    `version` the new one. `process` is the process working on it.
    """

    portal: str
    lesson: int
    state: str
    answers: NotRequired[int]
    last: NotRequired[int]
    before: NotRequired[float]
    after: NotRequired[float]
    interval: NotRequired[list[float]]
    topics: NotRequired[list[TopicEffectData]]
    yes: NotRequired[list[list[str]]]
    refused: NotRequired[list[str]]
    again: NotRequired[list[int]]
    looked_at: NotRequired[int]
    moved: NotRequired[int]
    moves: NotRequired[list[list[Any]]]
    pages: NotRequired[list[list[Any]]]
    based_on: NotRequired[str]
    step: NotRequired[int]
    file: NotRequired[str]
    version: NotRequired[str]
    process: NotRequired[dict[str, Any]]
    error: NotRequired[str]


class Lesson(Struct, frozen=True):
    """What a set of answers teaches; `report` has the figures, as in `thresher answers --json`."""

    portal: Path
    row: LessonRow

    @property
    def number(self) -> int:
        """The number of the lesson."""
        return self.row.id

    @property
    def state(self) -> LessonState:
        """Whether it is wanted, ready to apply, applied, undone or failed."""
        return self.row.state

    @property
    def report(self) -> dict[str, Any]:
        """The figures; empty until the estimate is done."""
        return self.row.report

    @property
    def changes_pages(self) -> bool:
        """Whether applying it would move any page."""
        return self.state is LessonState.READY and bool(self.report.get("file"))

    def to_dict(self) -> LessonData:
        """Return the object that `thresher answers --json` prints."""
        head: LessonData = {"portal": str(self.portal), "lesson": self.number, "state": self.state.value}
        return {**head, **self.report}  # type: ignore[typeddict-item]

    def __repr__(self) -> str:
        found = self.report
        if "before" not in found:
            return f"<lesson {self.number}, {self.state.value}{': ' + found['error'] if 'error' in found else ''}>"
        gain = f"{found['before']:.0%} -> {found['after']:.0%} judged as you did"
        return f"<lesson {self.number}, {self.state.value}: {found['answers']} answers, {gain}, {found['moved']} move>"


class Answers:
    """Learns from your review decisions; get it from `portal.answers`.

    `number` selects a lesson, by default the latest; `on_step` is called with progress. Raises InputError if there is
    no such lesson or too few answers, and PortalBusy if another process is working on the same lesson.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def __repr__(self) -> str:
        return f"Answers({str(self._path)!r})"

    def latest(self, number: int = 0) -> Lesson:
        """Return a stored lesson, by default the latest."""
        with closing(open_store(self._path)) as store:
            return Lesson(self._path, _stored(store, number, store.lessons.all()))

    def estimate(self, number: int = 0, *, on_step: OnStep | None = None) -> Lesson:
        """Estimate what your answers would change about other pages, by default as a new lesson; change nothing yet."""
        from thresher.train.lessons import estimate

        with closing(open_store(self._path)) as store:
            lesson = _stored(store, number, []) if number else LessonRow(at=time.time(), state=LessonState.WANTED)
            return self._work(store, lesson, lambda mine: estimate(self._path, store, mine, on_step or nobody))

    def apply(self, number: int = 0, *, on_step: OnStep | None = None) -> Lesson:
        """Use the classifier that learned from your answers, and reclassify the stored pages with it."""
        from thresher.config.load import load
        from thresher.train.lessons import apply

        settings = load(self._path).settings
        with closing(open_store(self._path)) as store:
            lesson = _stored(store, number, store.lessons.all())
            return self._work(
                store, lesson, lambda mine: apply(self._path, store, settings, mine, time.time(), on_step or nobody)
            )

    def undo(self, number: int = 0, *, on_step: OnStep | None = None) -> Lesson:
        """Restore the classifier from before a lesson, by default the latest applied one, and reclassify the pages."""
        from thresher.config.load import load
        from thresher.train.lessons import take_back

        settings = load(self._path).settings
        with closing(open_store(self._path)) as store:
            rows = store.lessons.all()
            applied = [row for row in rows if row.state is LessonState.APPLIED] or rows
            lesson = _stored(store, number, applied)
            return self._work(
                store, lesson, lambda mine: take_back(self._path, store, settings, mine, time.time(), on_step or nobody)
            )

    def _work(self, store: Store, lesson: LessonRow, work: Callable[[LessonRow], LessonRow]) -> Lesson:
        """Claim a lesson and work on it; if that fails, record why."""
        from thresher.train.lesson_claims import claim, give_up

        mine = claim(store, lesson)
        try:
            return Lesson(self._path, work(replace(mine, report=lesson.report)))
        except ThresherError as error:
            give_up(store, mine, error)
            raise


def _stored(store: Store, number: int, rows: Sequence[LessonRow]) -> LessonRow:
    """Return the lesson with a number, or the first of some rows for 0; raise InputError if there is none."""
    found = store.lessons.get(number) if number else next(iter(rows), None)
    if found is None:
        raise InputError(
            "There is no such lesson.",
            "Estimate what the decisions change: thresher answers PORTAL estimate",
            NoLesson(),
        )
    return found

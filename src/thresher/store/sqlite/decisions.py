"""The tables `decisions`, `lessons` and `deeds`: people's decisions and their effect."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import apsw
from msgspec.structs import replace

from thresher.store.decisions import (
    Decided,
    DecisionKind,
    DecisionRow,
    DeedRow,
    DoubtfulPage,
    LessonRow,
    LessonState,
    NamedTopics,
    renamed,
)
from thresher.store.page_records import ReviewState
from thresher.store.sqlite import numbers
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.doubts import doubtful, nearly_accepted
from thresher.store.sqlite.jsontext import decode, encode

_DECISION: Final = "SELECT id, at, user, page, url, kind, shown, topic, undone FROM decisions"
_HOLDS: Final = f"{_DECISION} WHERE page = ? AND undone IS NULL AND kind <> 'later' ORDER BY id DESC LIMIT 1"
_SETTLE: Final = (
    "INSERT OR REPLACE INTO feedback (document, iteration, old_topic, new_topic, at) VALUES (?, 0, ?, ?, ?)"
)
_JUDGED: Final = """
UPDATE documents SET seq = ?1, topic = (SELECT topic FROM judgements WHERE document = ?2 ORDER BY seq DESC LIMIT 1)
WHERE id = ?2
"""
_KEEP: Final = """
UPDATE documents SET topic = f.new_topic, conf = coalesce(documents.conf, 0.0) FROM feedback AS f
WHERE f.document = documents.id AND documents.id IN (SELECT value FROM json_each(?))
"""


def keep_settled(connection: apsw.Connection, ids: Iterable[int]) -> None:
    """Give pages that were written or judged again the topics that people settled."""
    wanted = list(ids)
    if wanted:
        connection.execute(_KEEP, (encode(wanted),))


def state_of(old: str | None, new: str | None) -> ReviewState:
    """Return the review state of a page whose topic a decision changed from `old` to `new`."""
    if new is None:
        return ReviewState.IRRELEVANT
    return ReviewState.RIGHT if old == new else ReviewState.MOVED


class SqliteDecisions:
    """People's decisions about pages."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, row: DecisionRow) -> int:
        """Add a decision, settle its page accordingly, and return its number."""
        return self.add_all([row])[0]

    def add_all(self, rows: Sequence[DecisionRow]) -> list[int]:
        """Add decisions in one transaction and return their numbers in the same order."""
        found = []
        with self._database.writing(durable=True) as connection:
            for row in rows:
                connection.execute(
                    "INSERT INTO decisions (at, user, page, url, kind, shown, topic, undone)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (row.at, row.user, row.page, row.url, row.kind.value, row.shown, row.topic, row.undone),
                )
                found.append(connection.last_insert_rowid())
                _settle(connection, row.page)
        return found

    def mark_all(self, numbers: Sequence[int], undone: float | None) -> None:
        """Undo decisions in one transaction, or reinstate them for None; unknown numbers are ignored."""
        known = "SELECT id, page FROM decisions WHERE id IN (SELECT value FROM json_each(?)) AND (undone IS NULL) = ?"
        with self._database.writing(durable=True) as connection:
            for number, page in fetch(connection, known, (encode(list(numbers)), int(undone is not None))):
                connection.execute("UPDATE decisions SET undone = ? WHERE id = ?", (undone, number))
                _settle(connection, page)

    def undo(self, number: int, at: float) -> DecisionRow | None:
        """Undo a decision and settle its page by the earlier ones; None if there is no such decision."""
        return self._mark(number, at)

    def redo(self, number: int) -> DecisionRow | None:
        """Reinstate an undone decision; None if there is no such decision."""
        return self._mark(number, None)

    def _mark(self, number: int, at: float | None) -> DecisionRow | None:
        row = self.get(number)
        if row is None or (row.undone is None) is (at is None):
            return row
        with self._database.writing(durable=True) as connection:
            connection.execute("UPDATE decisions SET undone = ? WHERE id = ?", (at, number))
            _settle(connection, row.page)
        return replace(row, undone=at)

    def get(self, number: int) -> DecisionRow | None:
        """Return a decision, or None if there is none with that number."""
        found = fetch(self._database.reader(), f"{_DECISION} WHERE id = ?", (number,))
        return _decision(found[0]) if found else None

    def all(self, limit: int = 0, offset: int = 0) -> list[DecisionRow]:
        """Return decisions, including undone ones, newest first; a limit of 0 returns all."""
        sql = f"{_DECISION} ORDER BY id DESC LIMIT ? OFFSET ?"
        return [_decision(values) for values in fetch(self._database.reader(), sql, (limit or -1, offset))]

    def count(self) -> int:
        """Return the number of decisions, including undone ones."""
        return int(fetch(self._database.reader(), "SELECT count(*) FROM decisions")[0][0])

    def of_page(self, page: int) -> list[DecisionRow]:
        """Return the decisions about a page, oldest first."""
        found = fetch(self._database.reader(), f"{_DECISION} WHERE page = ? ORDER BY id", (page,))
        return [_decision(values) for values in found]

    def settled(self, pages: Sequence[int] | None = None) -> dict[int, Decided]:
        """Return what is settled, by page id: for some pages, or for all if None."""
        sql, bound = "SELECT document, old_topic, new_topic FROM feedback", tuple[str, ...]()
        if pages is not None:
            sql, bound = f"{sql} WHERE document IN (SELECT value FROM json_each(?))", (encode(list(pages)),)  # noqa: S608
        return {id_: Decided(new, state_of(old, new)) for id_, old, new in fetch(self._database.reader(), sql, bound)}

    def rename(self, before: str, after: str, only: Sequence[int] | None = None) -> list[NamedTopics]:
        """Rename a topic, and all below it, in decisions; return the topics they named before."""
        rows = [row for row in self.all() if only is None or row.id in only]
        found = [(renamed(row, before, after), row) for row in rows]
        changed = [(new, old) for new, old in found if new != old]
        self.restore([NamedTopics(new.id, new.shown, new.topic) for new, _ in changed])
        return [NamedTopics(old.id, old.shown, old.topic) for _, old in changed]

    def restore(self, rows: Sequence[NamedTopics]) -> None:
        """Set the topics that decisions name and settle their pages again; unknown numbers are ignored."""
        with self._database.writing(durable=True) as connection:
            connection.executemany(
                "UPDATE decisions SET shown = ?, topic = ? WHERE id = ?",
                [(row.shown, row.topic, row.number) for row in rows],
            )
            sql = "SELECT DISTINCT page FROM decisions WHERE id IN (SELECT value FROM json_each(?))"
            for (page,) in fetch(connection, sql, (encode([row.number for row in rows]),)):
                _settle(connection, page)

    def doubtful(self, topics: Sequence[str], limit: int) -> list[DoubtfulPage]:
        """Return at most `limit` undecided pages of each topic, least confident first."""
        return doubtful(self._database.reader(), topics, limit)

    def nearly_accepted(self, limit: int) -> list[DoubtfulPage]:
        """Return undecided pages that no topic accepted, the closest to acceptance first."""
        return nearly_accepted(self._database.reader(), limit)


class SqliteLessons:
    """Lessons from answers, estimated or applied."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, row: LessonRow) -> LessonRow:
        """Write a lesson, a new one if its number is 0, and return it with its number."""
        with self._database.writing(durable=True) as connection:
            connection.execute(
                "INSERT OR REPLACE INTO lessons (id, at, user, state, pid, report) VALUES (?, ?, ?, ?, ?, ?)",
                (row.id or None, row.at, row.user, row.state.value, row.pid, encode(row.report)),
            )
            return replace(row, id=connection.last_insert_rowid())

    def swap(self, seen: LessonRow, row: LessonRow) -> bool:
        """Replace a lesson if its state and process are still as seen; return whether they were."""
        with self._database.writing(durable=True) as connection:
            connection.execute(
                "UPDATE lessons SET at = ?, user = ?, state = ?, pid = ?, report = ?"
                " WHERE id = ? AND state = ? AND pid = ?",
                (row.at, row.user, row.state.value, row.pid, encode(row.report), seen.id, seen.state.value, seen.pid),
            )
            return connection.changes() == 1

    def get(self, number: int) -> LessonRow | None:
        """Return a lesson, or None if there is none with that number."""
        return next((row for row in self.all() if row.id == number), None)

    def all(self) -> list[LessonRow]:
        """Return all lessons, newest first."""
        sql = "SELECT id, at, user, state, pid, report FROM lessons ORDER BY id DESC"
        return [
            LessonRow(
                id=id_, at=at, user=user, state=LessonState(state), pid=pid, report=decode(report, dict[str, Any])
            )
            for id_, at, user, state, pid, report in fetch(self._database.reader(), sql)
        ]


class SqliteDeeds:
    """Other changes made by people."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, row: DeedRow) -> int:
        """Add a deed and return its number."""
        with self._database.writing(durable=True) as connection:
            connection.execute(
                "INSERT INTO deeds (at, user, kind, about, before, after, undone) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (row.at, row.user, row.kind, row.about, row.before, row.after, row.undone),
            )
            return connection.last_insert_rowid()

    def undone(self, number: int, at: float | None) -> None:
        """Record when a deed was undone; None if it is in effect again."""
        with self._database.writing(durable=True) as connection:
            connection.execute("UPDATE deeds SET undone = ? WHERE id = ?", (at, number))

    def get(self, number: int) -> DeedRow | None:
        """Return a deed, or None if there is none with that number."""
        found = fetch(self._database.reader(), f"{_DEED} WHERE id = ?", (number,))
        return _deed(found[0]) if found else None

    def all(self, kinds: Sequence[str] = (), limit: int = 100) -> list[DeedRow]:
        """Return the newest deeds, of some kinds or all, including undone ones."""
        where = " WHERE kind IN (SELECT value FROM json_each(?1))" if kinds else ""
        found = fetch(
            self._database.reader(), f"{_DEED}{where} ORDER BY id DESC LIMIT ?2", (encode(list(kinds)), limit)
        )
        return [_deed(values) for values in found]


_DEED: Final = "SELECT id, at, user, kind, about, before, after, undone FROM deeds"


def _settle(connection: apsw.Connection, page: int) -> None:
    """Settle a page by its newest decision in effect, or leave it to the classifier if there is none."""
    seq = numbers.draw(connection, 1)
    found = fetch(connection, _HOLDS, (page,))
    if found:
        row = _decision(found[0])
        connection.execute(_SETTLE, (page, row.shown, row.topic, row.at))
        connection.execute("UPDATE documents SET seq = ? WHERE id = ?", (seq, page))
        keep_settled(connection, [page])
    else:
        connection.execute("DELETE FROM feedback WHERE document = ?", (page,))
        connection.execute(_JUDGED, (seq, page))


def _decision(values: tuple[Any, ...]) -> DecisionRow:
    id_, at, user, page, url, kind, shown, topic, undone = values
    return DecisionRow(
        id=id_,
        at=at,
        user=user,
        page=page,
        url=url,
        kind=DecisionKind(kind),
        shown=shown,
        topic=topic,
        undone=undone,
    )


def _deed(values: tuple[Any, ...]) -> DeedRow:
    id_, at, user, kind, about, before, after, undone = values
    return DeedRow(id=id_, at=at, user=user, kind=kind, about=about, before=before, after=after, undone=undone)

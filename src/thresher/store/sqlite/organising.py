"""The tables `organising_steps` and `organising_moves`."""

from collections.abc import Mapping
from typing import Final

import apsw
from msgspec.structs import replace

from thresher.store.organise_records import PageMove, StepKind, StepRow
from thresher.store.sqlite import numbers
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.decisions import keep_settled
from thresher.store.sqlite.jsontext import decode, encode
from thresher.store.sqlite.pages import write_judgements
from thresher.types import Judgement

_STEP: Final = (
    "INSERT INTO organising_steps (kind, topic, at, detail, hides, pages) VALUES (?, ?, ?, ?, ?, ?) RETURNING id"
)
_STEPS: Final = "SELECT id, kind, topic, at, detail, hides, pages, undone FROM organising_steps ORDER BY id"
HIDDEN: Final = "SELECT hides FROM organising_steps WHERE hides IS NOT NULL AND undone IS NULL"
"""The hidden topics."""

_NEWEST: Final = """
SELECT j.document, max(j.seq) FROM judgements AS j JOIN documents AS d ON d.id = j.document
WHERE j.document IN (SELECT value FROM json_each(?)) GROUP BY j.document
"""
_MOVES: Final = """
SELECT m.document, b.topic, a.topic FROM organising_moves AS m
JOIN judgements AS b ON b.document = m.document AND b.seq = m.before
JOIN judgements AS a ON a.document = m.document AND a.seq = m.after
WHERE m.step = ? ORDER BY m.document
"""
_OF_PAGE: Final = """
SELECT m.step, m.document, b.topic, a.topic FROM organising_moves AS m
JOIN judgements AS b ON b.document = m.document AND b.seq = m.before
JOIN judgements AS a ON a.document = m.document AND a.seq = m.after
WHERE m.document = ?
"""
# A page that was judged again has a newer judgement than that of the step.
_UNTOUCHED: Final = """
SELECT m.document, m.before FROM organising_moves AS m JOIN documents AS d ON d.id = m.document
WHERE m.step = ? AND m.after = (SELECT max(seq) FROM judgements WHERE document = m.document) ORDER BY m.document
"""
# Point earlier steps that are in effect to the judgement's new number.
_RELINK_EARLIER: Final = """
UPDATE organising_moves SET after = ? WHERE step IN (SELECT id FROM organising_steps WHERE undone IS NULL)
AND document = ? AND after = ?
"""
# Make later steps that are in effect restore what was there before this one.
_RELINK_LATER: Final = """
UPDATE organising_moves AS later SET before = m.before FROM organising_moves AS m
WHERE m.step = ? AND later.step IN (SELECT id FROM organising_steps WHERE undone IS NULL)
AND later.document = m.document AND later.before = m.after
"""
_COLUMNS: Final = "topic, confidence, probability, path, evidence, model, border, rejection"
_AGAIN: Final = (
    f"INSERT INTO judgements (document, seq, {_COLUMNS})"  # noqa: S608
    f" SELECT document, ?, {_COLUMNS} FROM judgements WHERE document = ? AND seq = ? RETURNING topic, confidence"
)


class SqliteOrganising:
    """The steps of this portal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def take(self, step: StepRow, judgements: Mapping[int, Judgement]) -> StepRow:
        """Write a step and the new judgements of the pages it moves, in one transaction; return it with its id."""
        with self._database.writing(durable=True) as connection:
            before = dict(fetch(connection, _NEWEST, (encode(list(judgements)),)))
            moved = {id_: judgements[id_] for id_ in sorted(before)}
            first = numbers.draw(connection, max(1, len(moved)))
            values = (step.kind.value, step.topic, step.at, encode(step.detail), step.hides, len(moved))
            number = int(connection.execute(_STEP, values).get)
            write_judgements(connection, moved, first)
            keep_settled(connection, moved)
            connection.executemany(
                "INSERT INTO organising_moves (step, document, before, after) VALUES (?, ?, ?, ?)",
                ((number, id_, before[id_], seq) for seq, id_ in enumerate(moved, first)),
            )
        return replace(step, id=number, pages=len(moved))

    def steps(self) -> list[StepRow]:
        """Return all steps, including undone ones, oldest first."""
        return [
            StepRow(
                id=id_,
                kind=StepKind(kind),
                topic=topic,
                at=at,
                detail=decode(detail, dict),
                hides=hides,
                pages=pages,
                undone=undone,
            )
            for id_, kind, topic, at, detail, hides, pages, undone in fetch(self._database.reader(), _STEPS)
        ]

    def hidden(self) -> list[str]:
        """Return the hidden topics."""
        return sorted({topic for (topic,) in fetch(self._database.reader(), HIDDEN)})

    def moves(self, step: int) -> list[PageMove]:
        """Return the pages that a step moved, in order of id."""
        return [PageMove(*values) for values in fetch(self._database.reader(), _MOVES, (step,))]

    def of_page(self, page: int) -> list[tuple[StepRow, PageMove]]:
        """Return the steps that moved a page and are in effect, with its moves, oldest first."""
        moved = {step: PageMove(*values) for step, *values in fetch(self._database.reader(), _OF_PAGE, (page,))}
        return [(step, moved[step.id]) for step in self.steps() if step.id in moved and step.undone is None]

    def undo(self, step: int, at: float) -> list[int]:
        """Restore the previous judgements of a step's pages and return their ids."""
        with self._database.writing(durable=True) as connection:
            connection.execute("UPDATE organising_steps SET undone = ? WHERE id = ? AND undone IS NULL", (at, step))
            if not connection.changes():
                return []
            untouched = fetch(connection, _UNTOUCHED, (step,))
            first = numbers.draw(connection, max(1, len(untouched)))
            for seq, (id_, before) in enumerate(untouched, first):
                _judge_again(connection, id_, before, seq)
                connection.execute(_RELINK_EARLIER, (seq, id_, before))
            connection.execute(_RELINK_LATER, (step,))
            keep_settled(connection, (id_ for id_, _ in untouched))
        return [id_ for id_, _ in untouched]


def _judge_again(connection: apsw.Connection, id_: int, before: int, seq: int) -> None:
    """Make an earlier judgement of a page the newest one."""
    for topic, confidence in fetch(connection, _AGAIN, (seq, id_, before)):
        connection.execute(
            "UPDATE documents SET topic = ?, conf = ?, seq = ? WHERE id = ?", (topic, confidence, seq, id_)
        )

"""The tables `opinions` and `proposals`: submissions from readers."""

from thresher.store.portal_records import FeedbackRow, ProposalRow, Verdict
from thresher.store.sqlite.connection import Database, fetch


class SqliteInbox:
    """Submissions from readers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def say(self, row: FeedbackRow) -> int:
        """Add a reader's feedback on a page, count it for the page, and return its number. Durable at once."""
        column = "positive_opinions" if row.verdict is Verdict.RIGHT else "negative_opinions"
        with self._database.writing(durable=True) as connection:
            connection.execute(
                "INSERT INTO opinions (at, page, url, verdict, topic, better, note, user, state)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (row.at, row.page, row.url, row.verdict.value, row.topic, row.better, row.note, row.user, row.state),
            )
            number = connection.last_insert_rowid()
            connection.execute(f"UPDATE documents SET {column} = {column} + 1 WHERE id = ?", (row.page,))  # noqa: S608
        return number

    def propose(self, row: ProposalRow) -> int:
        """Add a proposal and return its number. Durable at once."""
        with self._database.writing(durable=True) as connection:
            connection.execute(
                "INSERT INTO proposals (at, url, topic, note, user, state) VALUES (?, ?, ?, ?, ?, ?)",
                (row.at, row.url, row.topic, row.note, row.user, row.state),
            )
            return connection.last_insert_rowid()

    def mark_feedback(self, number: int, state: str, was: str | None = None) -> bool:
        """Set the state of feedback; return False if there is none or its state is not `was`. Durable at once."""
        return self._mark("UPDATE opinions SET state = ? WHERE id = ? AND state = ifnull(?, state)", state, number, was)

    def mark_proposal(self, number: int, state: str, was: str | None = None) -> bool:
        """Set the state of a proposal; return False if there is none or its state is not `was`. Durable at once."""
        return self._mark(
            "UPDATE proposals SET state = ? WHERE id = ? AND state = ifnull(?, state)", state, number, was
        )

    def _mark(self, sql: str, state: str, number: int, was: str | None) -> bool:
        with self._database.writing(durable=True) as connection:
            connection.execute(sql, (state, number, was))
            return connection.changes() > 0

    def feedback(self) -> list[FeedbackRow]:
        """Return all feedback, oldest first."""
        sql = "SELECT page, url, verdict, at, topic, better, note, user, id, state FROM opinions ORDER BY id"
        return [
            FeedbackRow(
                page=page,
                url=url,
                verdict=Verdict(verdict),
                at=at,
                topic=topic,
                better=better,
                note=note,
                user=user,
                id=id_,
                state=state,
            )
            for page, url, verdict, at, topic, better, note, user, id_, state in fetch(self._database.reader(), sql)
        ]

    def proposals(self) -> list[ProposalRow]:
        """Return all proposals, oldest first."""
        sql = "SELECT url, at, topic, note, user, id, state FROM proposals ORDER BY id"
        return [
            ProposalRow(url=url, at=at, topic=topic, note=note, user=user, id=id_, state=state)
            for url, at, topic, note, user, id_, state in fetch(self._database.reader(), sql)
        ]

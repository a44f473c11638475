"""The table `classifiers`: the models that training has written."""

from collections.abc import Sequence
from typing import Any, Final

import apsw

from thresher.store.records import ModelRow
from thresher.store.sqlite import numbers
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import decode, encode


class SqliteModels:
    """The classifiers of this portal; a row without a topic is a model of the whole tree."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, row: ModelRow) -> None:
        """Add a model whose file is complete on disk; durable at once."""
        with self._database.writing(durable=True) as connection:
            numbers.draw(connection, 1)
            write_models(connection, [row])

    def newest(self) -> ModelRow | None:
        """Return the newest model that was not rolled back, or None if there is none."""
        sql = f"{_ALL} AND NOT rolled_back ORDER BY id DESC LIMIT 1"
        return next((_row(values) for values in fetch(self._database.reader(), sql)), None)

    def all(self) -> list[ModelRow]:
        """Return all models, including rolled-back ones, oldest first."""
        return [_row(values) for values in fetch(self._database.reader(), f"{_ALL} ORDER BY id")]

    def roll_back(self, files: Sequence[str]) -> None:
        """Mark models as not to be used; durable at once."""
        with self._database.writing(durable=True) as connection:
            numbers.draw(connection, 1)
            connection.executemany(
                "UPDATE classifiers SET rolled_back = 1 WHERE topic IS NULL AND model = ?", [(file,) for file in files]
            )


def write_models(connection: apsw.Connection, rows: Sequence[ModelRow]) -> None:
    """Write models inside a transaction."""
    connection.executemany(
        "INSERT INTO classifiers (topic, at, step, type, model, report, rolled_back) VALUES (NULL, ?, ?, ?, ?, ?, ?)",
        [
            (row.at, row.step, row.kind, row.file, encode(row.report) if row.report else None, row.rolled_back)
            for row in rows
        ],
    )


_ALL: Final = "SELECT model, type, at, step, report, rolled_back FROM classifiers WHERE topic IS NULL"


def _row(values: tuple[Any, ...]) -> ModelRow:
    file, kind, at, step, report, rolled_back = values
    told = decode(report, dict[str, Any]) if report else None
    return ModelRow(file=file, kind=kind, at=at, step=step, report=told, rolled_back=bool(rolled_back))

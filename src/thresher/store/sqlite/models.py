"""The table `classifiers`: the models that training has written."""

from thresher.store.records import ModelRow
from thresher.store.sqlite import numbers
from thresher.store.sqlite.connection import Database, fetch


class SqliteModels:
    """The classifiers of this portal; a row without a topic stands for a model of the whole tree."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, row: ModelRow) -> None:
        """Add a model whose file is complete on disk; durable at once."""
        with self._database.writing(durable=True) as connection:
            numbers.draw(connection, 1)
            connection.execute(
                "INSERT INTO classifiers (topic, at, step, type, model) VALUES (NULL, ?, ?, ?, ?)",
                (row.at, row.step, row.kind, row.file),
            )

    def newest(self) -> ModelRow | None:
        """Return the model that was added last, or None where there is none."""
        sql = "SELECT model, type, at, step FROM classifiers WHERE topic IS NULL ORDER BY id DESC LIMIT 1"
        for file, kind, at, step in fetch(self._database.reader(), sql):
            return ModelRow(file=file, kind=kind, at=at, step=step)
        return None

"""The table `queues`: short numbers for queue names, which millions of URLs share."""

from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import encode

_NUMBERS = "SELECT name, id FROM queues WHERE name IN (SELECT value FROM json_each(?))"


def queue_numbers(database: Database, names: set[str]) -> dict[str, int]:
    """Return the number of each name; new names, which are few, get theirs in a separate transaction."""
    wanted = (encode(sorted(names)),)
    numbers: dict[str, int] = dict(fetch(database.reader(), _NUMBERS, wanted)) if names else {}
    if numbers.keys() != names:
        with database.writing() as connection:
            new = ((name,) for name in sorted(names - numbers.keys()))
            connection.executemany("INSERT INTO queues (name) VALUES (?) ON CONFLICT (name) DO NOTHING", new)
            numbers = dict(fetch(connection, _NUMBERS, wanted))
    return numbers

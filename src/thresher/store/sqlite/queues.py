"""The table `queues`: short numbers for the names of queues, which millions of URLs repeat."""

from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import encode

_NUMBERS = "SELECT name, id FROM queues WHERE name IN (SELECT value FROM json_each(?))"


def queue_numbers(database: Database, names: set[str]) -> dict[str, int]:
    """Return the number of each name; new names get theirs in a transaction of its own, for they are few."""
    wanted = (encode(sorted(names)),)
    numbers: dict[str, int] = dict(fetch(database.reader(), _NUMBERS, wanted)) if names else {}
    if numbers.keys() != names:
        with database.writing() as connection:
            new = ((name,) for name in sorted(names - numbers.keys()))
            connection.executemany("INSERT INTO queues (name) VALUES (?) ON CONFLICT (name) DO NOTHING", new)
            numbers = dict(fetch(connection, _NUMBERS, wanted))
    return numbers

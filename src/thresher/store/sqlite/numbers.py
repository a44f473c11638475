"""Sequence numbers: every change of the portal gets one, higher than all before it."""

import apsw


def draw(connection: apsw.Connection, count: int) -> int:
    """Take the next `count` numbers inside a write transaction and return the first of them."""
    rows = connection.execute("UPDATE meta SET value = value + ? WHERE key = 'seq' RETURNING value", (count,))
    return int(rows.get) - count + 1


def newest(connection: apsw.Connection) -> int:
    """Return the newest number drawn, 0 for an empty portal."""
    return int(connection.execute("SELECT value FROM meta WHERE key = 'seq'").get)

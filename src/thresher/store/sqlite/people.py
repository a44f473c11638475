"""The tables `users` and `sessions`: accounts, and the browsers that are signed in."""

from collections.abc import Sequence
from typing import Any

import apsw

from thresher.store.portal_records import Role, SessionRow, UserRow
from thresher.store.sqlite.connection import Database, fetch

_USER = "SELECT id, name, role, password, made FROM users"


class SqliteUsers:
    """The accounts of the portal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, name: str, role: Role, password: str, at: float) -> UserRow | None:
        """Add an account and return it, or None if the name is taken, ignoring case. Durable at once."""
        try:
            with self._database.writing(durable=True) as connection:
                connection.execute(
                    "INSERT INTO users (name, role, password, made) VALUES (?, ?, ?, ?)",
                    (name, role.value, password, at),
                )
        except apsw.ConstraintError:
            return None
        return self.get(name)

    def get(self, name: str) -> UserRow | None:
        """Return the account with a name, ignoring case, or None."""
        found = fetch(self._database.reader(), f"{_USER} WHERE name = ?", (name,))
        return _user(found[0]) if found else None

    def all(self) -> list[UserRow]:
        """Return all accounts, oldest first."""
        return [_user(values) for values in fetch(self._database.reader(), f"{_USER} ORDER BY id")]

    def change(self, user: UserRow, *, keep_admin: bool = False) -> bool:
        """Write the role and password of an account. Durable at once.

        With `keep_admin`, change nothing and return False if no administrator would be left.
        """
        with self._database.writing(durable=True) as connection:
            if keep_admin and user.role is not Role.ADMIN and _is_last_admin(connection, user.id):
                return False
            connection.execute(
                "UPDATE users SET role = ?, password = ? WHERE id = ?", (user.role.value, user.password, user.id)
            )
            return True

    def remove(self, user: int, *, keep_admin: bool = False) -> bool:
        """Remove an account and sign it out everywhere. Durable at once.

        With `keep_admin`, change nothing and return False if no administrator would be left.
        """
        with self._database.writing(durable=True) as connection:
            if keep_admin and _is_last_admin(connection, user):
                return False
            connection.execute("DELETE FROM sessions WHERE user = ?", (user,))
            connection.execute("DELETE FROM feed_keys WHERE user = ?", (user,))
            connection.execute("DELETE FROM browser_keys WHERE user = ?", (user,))
            connection.execute("DELETE FROM users WHERE id = ?", (user,))
            return True


class SqliteSessions:
    """The signed-in browsers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, session: SessionRow) -> None:
        """Add a session and delete all that had expired when it was made."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM sessions WHERE expires <= ?", (session.made,))
            connection.execute(
                "INSERT OR REPLACE INTO sessions (digest, user, made, expires) VALUES (?, ?, ?, ?)",
                (session.digest, session.user, session.made, session.expires),
            )

    def user(self, digest: bytes, at: float) -> UserRow | None:
        """Return the account of the session with a digest; None if there is none or it has expired."""
        sql = (
            "SELECT u.id, u.name, u.role, u.password, u.made FROM sessions AS s JOIN users AS u ON u.id = s.user"
            " WHERE s.digest = ? AND s.expires > ?"
        )
        found = fetch(self._database.reader(), sql, (digest, at))
        return _user(found[0]) if found else None

    def end(self, *, digest: bytes | None = None, user: int | None = None) -> None:
        """End one session, or all sessions of an account. Durable at once."""
        with self._database.writing(durable=True) as connection:
            connection.execute("DELETE FROM sessions WHERE digest = ? OR user = ?", (digest, user))


def _is_last_admin(connection: apsw.Connection, user: int) -> bool:
    """Return whether an account is the only administrator."""
    return fetch(connection, "SELECT id FROM users WHERE role = ?", (Role.ADMIN.value,)) == [(user,)]


def _user(values: Sequence[Any]) -> UserRow:
    id_, name, role, password, made = values
    return UserRow(id=id_, name=name, role=Role(role), password=password, made=made)

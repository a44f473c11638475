"""The table `feed_keys`: keys that give feed readers access to an account's feeds."""

from thresher.store.portal_records import Role, UserRow
from thresher.store.sqlite.connection import Database, fetch


class SqliteFeedKeys:
    """At most one key per account, stored as a digest."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, user: int, digest: bytes, at: float) -> None:
        """Set the key of an account, replacing any previous one."""
        with self._database.writing(durable=True) as connection:
            connection.execute(
                "INSERT OR REPLACE INTO feed_keys (user, digest, made) VALUES (?, ?, ?)", (user, digest, at)
            )

    def user(self, digest: bytes) -> UserRow | None:
        """Return the account whose key has a digest, or None if there is none."""
        sql = (
            "SELECT u.id, u.name, u.role, u.password, u.made FROM feed_keys AS f JOIN users AS u ON u.id = f.user"
            " WHERE f.digest = ?"
        )
        for id_, name, role, password, made in fetch(self._database.reader(), sql, (digest,)):
            return UserRow(id=id_, name=name, role=Role(role), password=password, made=made)
        return None

    def made(self, user: int) -> float | None:
        """Return when the key of an account was made, or None if it has none."""
        found = fetch(self._database.reader(), "SELECT made FROM feed_keys WHERE user = ?", (user,))
        return float(found[0][0]) if found else None

    def remove(self, user: int) -> None:
        """Remove the key of an account, if it has one."""
        with self._database.writing(durable=True) as connection:
            connection.execute("DELETE FROM feed_keys WHERE user = ?", (user,))

"""Keys that give feed readers, which cannot sign in, access to an account's feeds."""

from typing import Protocol

from thresher.store.portal_records import UserRow


class FeedKeys(Protocol):
    """At most one key per account, stored as a digest. Everything written is durable at once."""

    def put(self, user: int, digest: bytes, at: float) -> None:
        """Set the key of an account, replacing any previous one."""

    def user(self, digest: bytes) -> UserRow | None:
        """Return the account whose key has a digest, or None if there is none."""

    def made(self, user: int) -> float | None:
        """Return when the key of an account was made, or None if it has none."""

    def remove(self, user: int) -> None:
        """Remove the key of an account, if it has one."""

"""Keys that give feed readers access to an account's feeds, since they cannot sign in."""

from typing import Protocol

from thresher.store.portal_records import UserRow


class FeedKeys(Protocol):
    """At most one key for each account, by its digest. Everything written is durable at once."""

    def put(self, user: int, digest: bytes, at: float) -> None:
        """Set the key of an account, replacing any previous one."""

    def user(self, digest: bytes) -> UserRow | None:
        """Return whose key has a digest, None if nobody's has."""

    def made(self, user: int) -> float | None:
        """Return when the key of an account was made, None if it has none."""

    def remove(self, user: int) -> None:
        """Take the key of an account away; one without a key stays as it is."""

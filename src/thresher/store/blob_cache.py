"""The interface of a disk cache for blobs that can be recomputed."""

from collections.abc import Mapping
from typing import Protocol


class BlobCache(Protocol):
    """Blobs by key, in one file; several processes may write to it at once."""

    def get(self, key: bytes) -> bytes | None:
        """Return the blob of a key, or None if there is none."""

    def put(self, blobs: Mapping[bytes, bytes]) -> None:
        """Add blobs by key; existing ones are not replaced."""

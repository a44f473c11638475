"""A disk cache for blobs that can be recomputed, by key, in one file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from thresher.store.sqlite.blob_file import SqliteBlobFile


class BlobCache(Protocol):
    """Blobs by key; several processes may write to one file at once."""

    def get(self, key: bytes) -> bytes | None:
        """Return the blob of a key, or None if there is none."""

    def put(self, blobs: Mapping[bytes, bytes]) -> None:
        """Add blobs by key; existing ones are not replaced."""


def open_cache(path: Path) -> BlobCache:
    """Open a cache file, creating it if necessary; a crash may lose the latest writes.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = open_cache(Path(folder) / "pages.db")
    ...     cache.put({b"a": b"one"})
    ...     cache.get(b"a"), cache.get(b"b")
    (b'one', None)
    """
    return SqliteBlobFile(path)

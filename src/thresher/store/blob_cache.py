"""A disk cache for blobs that can be recomputed, by key, in one file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from thresher.store.sqlite.blob_file import SqliteBlobFile


class BlobCache(Protocol):
    """Blobs by their keys; several processes may fill one file at once."""

    def get(self, key: bytes) -> bytes | None:
        """Return the blob of a key, None if there is none."""

    def put(self, blobs: Mapping[bytes, bytes]) -> None:
        """Add blobs by their keys; those that are there already stay as they are."""


def open_cache(path: Path) -> BlobCache:
    """Open a cache file, which is made if there is none; a crash may lose what was put last.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = open_cache(Path(folder) / "pages.db")
    ...     cache.put({b"a": b"one"})
    ...     cache.get(b"a"), cache.get(b"b")
    (b'one', None)
    """
    return SqliteBlobFile(path)

"""A WARC file being written, with its index."""

import os
from pathlib import Path
from typing import BinaryIO, Literal

from thresher.file_rights import follow
from thresher.store.archive.archive_files import index_path
from thresher.store.archive.cdxj import IndexRow, line_of


class WarcFile:
    """Appends records to a WARC and rows to its index; records are handed to the system at once, without a buffer.

    A `new` file replaces anything left under its name.
    """

    def __init__(self, path: Path, *, new: bool = False) -> None:
        self.path = path
        mode: Literal["wb", "ab"] = "wb" if new else "ab"
        self._warc: BinaryIO = path.open(mode, buffering=0)
        self._index: BinaryIO = index_path(path).open(mode, buffering=0)
        if new:
            follow(path)
            follow(index_path(path))
        self._lines: list[bytes] = []
        self.size = self._warc.seek(0, os.SEEK_END)

    def write(self, record: bytes) -> int:
        """Append a record; return its offset in bytes."""
        offset = self.size
        _write_all(self._warc, record)
        self.size += len(record)
        return offset

    def note(self, row: IndexRow) -> None:
        """Queue an index row until `flush`."""
        self._lines.append(line_of(row))

    def flush(self) -> None:
        """Append the queued rows."""
        if self._lines:
            _write_all(self._index, b"".join(self._lines))
            self._lines.clear()

    def sync(self) -> None:
        """Return once everything is on disk."""
        self.flush()
        os.fsync(self._warc.fileno())
        os.fsync(self._index.fileno())
        sync_directory(self.path.parent)

    def close(self) -> None:
        """Close both files; rows that were not flushed are lost."""
        self._warc.close()
        self._index.close()


def sync_directory(directory: Path) -> None:
    """Return once the names of a directory's files are on disk."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _write_all(file: BinaryIO, data: bytes) -> None:
    """Write all bytes, in several calls if the system takes only part of them."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]

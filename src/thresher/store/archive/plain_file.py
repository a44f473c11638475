"""The bytes of an uncompressed archive file."""

import os
from typing import BinaryIO

from thresher.store.archive.byte_streams import BLANK, PEEK, TRIES, Damaged
from thresher.store.archive.problems import Problem
from thresher.store.archive.record_heads import begins_record


class PlainFile:
    """An uncompressed file in which records follow one another."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._start = file.tell()
        self._tries = TRIES
        self.gave_up = False

    def begin(self) -> tuple[int, bool] | None:
        """Go to the next record, skipping empty lines."""
        self._start = self.end()
        return (self._start, True) if self.peek() else None

    def line(self, limit: int) -> bytes:
        """Return the next line."""
        return self._file.readline(limit)

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        return self._file.read(size)

    def skip(self, size: int) -> None:
        """Skip bytes."""
        here = self._file.tell()
        if here + size > self._file.seek(0, os.SEEK_END):
            raise Damaged(Problem.CUT_OFF)
        self._file.seek(here + size)

    def end(self) -> int:
        """Skip empty lines; return the offset after them."""
        while data := self._file.read(PEEK):
            rest = len(data.lstrip(BLANK))
            if rest:
                return self._file.seek(-rest, os.SEEK_CUR)
        return self._file.tell()

    def peek(self) -> bytes:
        """Return some of the following bytes."""
        data = self._file.read(PEEK)
        self._file.seek(-len(data), os.SEEK_CUR)
        return data

    def resync(self) -> bool:
        """Look for the next line that begins a record, starting after the first line of the damaged record."""
        self._tries -= 1
        self.gave_up = self._tries < 0
        self._file.seek(self._start)
        self._file.readline(PEEK)
        while not self.gave_up and (line := self._file.readline(PEEK)):
            if begins_record(line):
                self._file.seek(-len(line), os.SEEK_CUR)
                return True
        return False

"""The bytes of an archive file of gzip members, decompressed one block at a time."""

import zlib
from contextlib import suppress
from typing import BinaryIO, Final

from thresher.store.archive.byte_streams import BLANK, PEEK, TRIES, Damaged
from thresher.store.archive.problems import Problem
from thresher.store.archive.record_heads import begins_record

MAGIC: Final = b"\x1f\x8b"
"""The first bytes of every member."""

MAX_SKIP: Final = 4 << 30
"""Most decompressed bytes of one record to skip; a longer record counts as damage."""

_START: Final = MAGIC + b"\x08"
_BLOCK: Final = 1 << 17


class GzipMembers:
    """A file of gzip members, usually one per record."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._packed = b""
        self._position = file.tell()
        self._start = self._position
        self._member: zlib._Decompress | None = None
        self._unpacked = bytearray()
        self._more = False
        self._broken = False
        self._skipped = 0
        self._tries = TRIES
        self.gave_up = False

    def begin(self) -> tuple[int, bool] | None:
        """Go to the next record, in this member if it has another, otherwise in the next member."""
        self._skipped = 0
        if self.end() is None:
            return self._start, False
        while self._open():
            self.end()
            if self._unpacked:
                return self._start, True
        return None

    def line(self, limit: int) -> bytes:
        """Return the next line of the member."""
        while (end := self._unpacked.find(b"\n", 0, limit)) < 0 and len(self._unpacked) < limit and self._fill():
            pass
        return self._give(min(end + 1 if end >= 0 else limit, limit))

    def take(self, size: int) -> bytes:
        """Return the next bytes of the member."""
        while len(self._unpacked) < size and self._fill():
            pass
        return self._give(size)

    def skip(self, size: int) -> None:
        """Skip bytes of the member."""
        while size > 0 and (self._unpacked or self._fill()):
            step = min(size, len(self._unpacked))
            del self._unpacked[:step]
            size -= step
            self._skipped += step
            if self._skipped > MAX_SKIP:
                raise self._damage(Problem.TOO_LARGE)

    def end(self) -> int | None:
        """Skip empty lines; return the offset after the member, or None if more of it follows."""
        while True:
            blank = len(self._unpacked) - len(self._unpacked.lstrip(BLANK))
            self.skip(blank)
            if self._unpacked:
                return None
            if not self._fill():
                return self._position

    def peek(self) -> bytes:
        """Return some of the following bytes of the member."""
        while len(self._unpacked) < PEEK and self._fill():
            pass
        return bytes(self._unpacked[:PEEK])

    def resync(self) -> bool:
        """Go to the next member after a sound one; after a broken one, look for the next that holds a record."""
        with suppress(Damaged):
            if not self._broken:
                self.skip(2 * MAX_SKIP)
                return True
        return self._search()

    def _search(self) -> bool:
        """Try every start of a member after the broken one, a limited number of times."""
        position = self._start + 1
        while (found := self._find(position)) is not None:
            self._tries -= 1
            self.gave_up = self._tries < 0
            if self.gave_up:
                break
            self._reset(found)
            with suppress(Damaged):
                if self._open() and begins_record(self.peek().lstrip(BLANK).partition(b"\n")[0] + b"\n"):
                    self._reset(found)
                    return True
            position = found + 1
        return False

    def _find(self, position: int) -> int | None:
        self._file.seek(position)
        data = b""
        while block := self._file.read(_BLOCK):
            data = data[-len(_START) + 1 :] + block
            if (found := data.find(_START)) >= 0:
                return self._file.tell() - len(data) + found
        return None

    def _reset(self, position: int) -> None:
        self._file.seek(position)
        self._packed, self._position, self._start = b"", position, position
        self._member, self._more, self._broken = None, False, False
        self._unpacked.clear()
        self._skipped = 0

    def _open(self) -> bool:
        """Open the next member; zeros between members are padding, anything else is damage."""
        while True:
            kept = self._packed.lstrip(b"\0")
            self._position += len(self._packed) - len(kept)
            self._packed = kept
            if len(kept) >= 2 or not self._read():
                break
        if not self._packed:
            return False
        self._start = self._position
        if not self._packed.startswith(MAGIC):
            raise self._damage(Problem.BROKEN_GZIP)
        self._member = zlib.decompressobj(31)
        return True

    def _read(self) -> bool:
        block = self._file.read(_BLOCK)
        self._packed += block
        return bool(block)

    def _fill(self) -> bool:
        """Decompress more of the member; return False at its end."""
        while self._member is not None:
            if not self._packed and not self._more and not self._read():
                raise self._damage(Problem.CUT_OFF)
            try:
                block = self._member.decompress(self._packed, _BLOCK)
            except zlib.error:
                raise self._damage(Problem.BROKEN_GZIP) from None
            # A full block may leave output inside the decompressor although all input is consumed.
            self._more = len(block) == _BLOCK
            rest = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            self._position += len(self._packed) - len(rest)
            self._packed = rest
            if self._member.eof:
                self._member, self._more = None, False
            if block:
                self._unpacked += block
                return True
        return False

    def _damage(self, problem: Problem) -> Damaged:
        self._member, self._more, self._broken = None, False, True
        return Damaged(problem)

    def _give(self, size: int) -> bytes:
        data = bytes(self._unpacked[:size])
        del self._unpacked[:size]
        return data

"""Reads the bytes of an archive file record by record, compressed or not.

Files may come from anywhere. Memory use stays within one block of what the caller asks for, however far the data
expands. Damage raises `Damaged`, and `resync` then looks for the next record.
"""

from typing import Final, Protocol

from thresher.store.archive.problems import Problem

PEEK: Final = 4096
"""Bytes to look ahead to see what follows."""

TRIES: Final = 1000
"""How often reading resumes after damage in one file."""

BLANK: Final = b"\r\n"


class Damaged(Exception):
    """The file is damaged, and reading cannot simply continue."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.value)
        self.problem = problem


class ByteStream(Protocol):
    """What a record reader needs from a file; every method but `resync` may raise Damaged.

    `gave_up` says that the rest of the file was not read because there was too much damage.
    """

    gave_up: bool

    def begin(self) -> tuple[int, bool] | None:
        """Go to the next record; return its offset and whether it can be read again from there, or None at the end."""

    def line(self, limit: int) -> bytes:
        """Return the next line including its end, at most `limit` bytes; less at the end of the data."""

    def take(self, size: int) -> bytes:
        """Return the next `size` bytes, or fewer at the end of the data."""

    def skip(self, size: int) -> None:
        """Skip `size` bytes, or fewer at the end of the data."""

    def end(self) -> int | None:
        """Skip empty lines; return the offset after the record, or None if the file does not reveal it."""

    def peek(self) -> bytes:
        """Return some of the following bytes without consuming them; empty at the end of the file or member."""

    def resync(self) -> bool:
        """Go to what may be the next record after damage; return False if nothing is left or it is not worth trying."""

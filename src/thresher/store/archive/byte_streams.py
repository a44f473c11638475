"""Reads the bytes of an archive file record by record, compressed or not.

Files come from anywhere. Memory stays within a block beyond what is asked for, whatever the data unpacks to, and damage
raises `Damaged`, after which `resync` looks for the next record.
"""

from typing import Final, Protocol

from thresher.store.archive.problems import Problem

PEEK: Final = 4096
"""Bytes that are looked at to tell what follows."""

TRIES: Final = 1000
"""How often reading continues after damage in one file."""

BLANK: Final = b"\r\n"


class Damaged(Exception):
    """Reading cannot simply go on behind this point of the file."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.value)
        self.problem = problem


class ByteStream(Protocol):
    """What a reader of records needs of a file; every method but `resync` may raise Damaged.

    `gave_up` says that there was so much damage that the rest of the file is not read.
    """

    gave_up: bool

    def begin(self) -> tuple[int, bool] | None:
        """Go to the next record; return its offset and whether it can be read from there again, None at the end."""

    def line(self, limit: int) -> bytes:
        """Return the next line with its end, at most `limit` bytes of it; less where the data ends."""

    def take(self, size: int) -> bytes:
        """Return the next bytes; less where the data ends."""

    def skip(self, size: int) -> None:
        """Pass over bytes; less where the data ends."""

    def end(self) -> int | None:
        """Pass over empty lines; return the offset behind the record, None if the file does not tell."""

    def peek(self) -> bytes:
        """Return some of the bytes that follow without taking them; empty at the end of the file or member."""

    def resync(self) -> bool:
        """Go on after damage with what may be the next record; False if nothing is left or worth it."""

"""Numbers the pages of an index from 0, without large gaps, so that a set of pages fits in a bitmap.

The ids of the pages, by number, are stored in a file next to the index. A page keeps its number when it is indexed
again. The file is written before the index that refers to it; numbers that a killed process did not use stay unused.
"""

import os
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from thresher.file_rights import follow

FILE: Final = "numbers"
WIDTH: Final = 48
"""Pages per block. The sum of the bits of a block is exact as a floating-point number."""

_BYTES: Final = 8
_TYPE: Final = "<i8"


def ids_by_number(folder: Path, first: int = 0) -> NDArray[np.int64]:
    """Return the ids of the pages of an index from number `first` on; none if the file is missing."""
    try:
        with (folder / FILE).open("rb") as file:
            file.seek(first * _BYTES)
            data = file.read()
    except FileNotFoundError:
        data = b""
    return np.frombuffer(data[: len(data) // _BYTES * _BYTES], _TYPE).astype(np.int64)


class Numbering:
    """Gives numbers to new pages of an index; only its writer may do so."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._saved = numbered(folder)
        self._new: list[int] = []

    @property
    def count(self) -> int:
        """How many numbers have been given."""
        return self._saved + len(self._new)

    def number(self, id_: int) -> int:
        """Return a number for a new page."""
        self._new.append(id_)
        return self.count - 1

    def save(self) -> None:
        """Write the new numbers to disk."""
        if not self._new:
            return
        made = not self._path.exists()
        with self._path.open("r+b" if not made else "wb") as file:
            # A killed process may have left part of an id.
            file.seek(self._saved * _BYTES)
            file.truncate()
            file.write(np.array(self._new, _TYPE).tobytes())
            file.flush()
            os.fsync(file.fileno())
        if made:
            follow(self._path)
        self._saved = self.count
        self._new = []


def numbered(folder: Path) -> int:
    """Return how many numbers the file of an index has."""
    try:
        return (folder / FILE).stat().st_size // _BYTES
    except FileNotFoundError:
        return 0

"""Opens ZIP files safely: limits entries and unpacked bytes, and refuses overlapping entries."""

import struct
import zipfile
import zlib
from io import BytesIO
from typing import Final

from thresher.documents.formats.limits import ReaderGaveUp, UnpackBudget
from thresher.reasons import Reason

MAX_ENTRIES: Final = 10_000
"""Maximum number of entries in one file."""

_HEADER: Final = 30
_ENCRYPTED: Final = 1
_READ: Final = 1 << 16
_METHODS: Final = frozenset([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
# Everything that zipfile raises for a damaged file; NotImplementedError means an unknown version of the format.
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    ValueError,
    LookupError,
    OverflowError,
    EOFError,
    OSError,
    NotImplementedError,
)


class Zipped:
    """A ZIP file in memory; raises Refusal if it is broken, has too many entries or overlapping ones.

    Names are only looked up and never used as paths; everything unpacked is charged to `budget`.
    """

    def __init__(self, body: bytes, budget: UnpackBudget) -> None:
        self._budget = budget
        try:
            self._file = zipfile.ZipFile(BytesIO(body))
        except _DAMAGE as error:
            raise ReaderGaveUp(Reason.UNREADABLE, f"its ZIP directory is broken: {error}"[:200]) from None
        entries = self._file.infolist()
        if len(entries) > MAX_ENTRIES:
            raise ReaderGaveUp(Reason.OVER_LIMITS, f"it has {len(entries)} entries, at most {MAX_ENTRIES}")
        _require_apart(entries, self._file.start_dir)
        # If two entries have the same name, the last one counts.
        self._entries = {entry.filename: entry for entry in entries}

    def names(self) -> list[str]:
        """Return the names of all entries except folders, in file order."""
        return [name for name in self._entries if not name.endswith("/")]

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes:
        """Return the unpacked content of an entry; raise Refusal if it is missing, encrypted, broken or too large."""
        entry = self._entries.get(name)
        if entry is None:
            raise ReaderGaveUp(Reason.UNREADABLE, f"it has no part {name}"[:200])
        if entry.flag_bits & _ENCRYPTED:
            raise ReaderGaveUp(Reason.ENCRYPTED, "its parts are encrypted")
        if entry.compress_type not in _METHODS:
            raise ReaderGaveUp(Reason.UNREADABLE, f"packed by method {entry.compress_type}, which is not read")
        try:
            return self._unpacked(entry)
        except _DAMAGE as error:
            raise ReaderGaveUp(Reason.UNREADABLE, f"its part {name} is broken: {error}"[:200]) from None

    def _unpacked(self, entry: zipfile.ZipInfo) -> bytes:
        blocks: list[bytes] = []
        with self._file.open(entry) as stream:
            # The declared size of an entry may be wrong; count the actual bytes.
            while block := stream.read(_READ):
                self._budget.spend(len(block))
                blocks.append(block)
        return b"".join(blocks)


def _require_apart(entries: list[zipfile.ZipInfo], directory: int) -> None:
    """Raise Refusal if two entries share bytes, a trick by which kilobytes unpack to gigabytes."""
    ends = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < ends:
            raise ReaderGaveUp(Reason.OVER_LIMITS, "its entries overlap")
        ends = entry.header_offset + _HEADER + len(entry.orig_filename) + entry.compress_size
    if ends > directory:
        raise ReaderGaveUp(Reason.UNREADABLE, "its entries reach into its directory")

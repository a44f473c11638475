"""The index of a replayed web: finds the record of a URL, in about twenty bytes per URL.

If a URL has several answers, the newest counts; a 304 never counts.
"""

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import xxhash

from thresher.store.archive.archive_files import index_path
from thresher.store.archive.archived import records
from thresher.store.archive.cdxj import REVISIT, rows
from thresher.store.archive.cutting import is_whole
from thresher.store.archive.dates import read_date
from thresher.store.archive.problems import Problem, Problems
from thresher.web.status import NOT_MODIFIED
from thresher.web.urls import canonical, url_id

Ids = npt.NDArray[np.int64]


class ReplayIndex:
    """Finds records in archives by URL and by digest; files are named by their number in `files`.

    Problems of the files are counted in `problems`. A file with one of our indexes is not read through.
    """

    def __init__(self, files: Sequence[Path], problems: Problems) -> None:
        self._problems = problems
        self._urls = _Table()
        self._payloads = _Table()
        self._repeated = array("q")
        for number, path in enumerate(files):
            found = _from_index(path) if is_whole(path) else self._from_records(path)
            for url, at, digest, revisit, offset in found:
                self._add(number, url, at, digest, revisit, offset)
        self._urls.close()
        self._payloads.close(wanted=np.unique(np.array(self._repeated, np.int64)))
        self._repeated = array("q")

    def __len__(self) -> int:
        return len(self._urls)

    def find(self, url: str) -> tuple[int, int] | None:
        """Return the file number and offset of the record for a canonical URL, or None."""
        return self._urls.find(url_id(url))

    def original(self, digest: str) -> tuple[int, int] | None:
        """Return the file number and offset of a record whose payload others repeat, or None."""
        return self._payloads.find(_digest_id(digest))

    def _add(self, number: int, url: str, at: float, digest: str, revisit: bool, offset: int) -> None:
        known = canonical(url)
        if known is None:
            return
        self._urls.add(url_id(known), at, number, offset)
        if digest and revisit:
            self._repeated.append(_digest_id(digest))
        elif digest:
            self._payloads.add(_digest_id(digest), at, number, offset)

    def _from_records(self, path: Path) -> Iterator[tuple[str, float, str, bool, int]]:
        for record in records(path, self._problems):
            if not record.seekable:
                self._problems[Problem.NOT_SEEKABLE] += 1
            elif record.status != NOT_MODIFIED:
                yield record.url, record.at, record.digest, record.revisit, record.place.offset


def _from_index(path: Path) -> Iterator[tuple[str, float, str, bool, int]]:
    for row in rows(index_path(path)):
        if row.status != NOT_MODIFIED:
            yield row.url, read_date(row.time) or 0.0, row.digest, row.mime == REVISIT, row.offset


def _digest_id(digest: str) -> int:
    return xxhash.xxh3_64_intdigest(digest.strip().lower().encode()) - (1 << 63)


class _Table:
    """Positions by 64-bit id: filled row by row, then closed and searched."""

    def __init__(self) -> None:
        self._clear()
        self._ids: Ids = np.empty(0, np.int64)
        self._files: npt.NDArray[np.int32] = np.empty(0, np.int32)
        self._offsets: Ids = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, key: int, at: float, file: int, offset: int) -> None:
        self._new_ids.append(key)
        self._new_ats.append(at)
        self._new_files.append(file)
        self._new_offsets.append(offset)

    def close(self, wanted: Ids | None = None) -> None:
        """Keep the newest row of each wanted id; of two rows of the same age, keep the later one."""
        ids: Ids = np.array(self._new_ids, np.int64)
        order = np.lexsort((np.array(self._new_ats, np.float64), ids))
        newest = np.append(np.diff(ids[order]) != 0, True)[: len(order)]
        kept = order[newest]
        if wanted is not None:
            kept = kept[np.isin(ids[kept], wanted)]
        self._ids = ids[kept]
        self._files = np.array(self._new_files, np.int32)[kept]
        self._offsets = np.array(self._new_offsets, np.int64)[kept]
        self._clear()

    def _clear(self) -> None:
        self._new_ids, self._new_ats = array("q"), array("d")
        self._new_files, self._new_offsets = array("i"), array("q")

    def find(self, key: int) -> tuple[int, int] | None:
        row = int(np.searchsorted(self._ids, key))
        if row == len(self._ids) or self._ids[row] != key:
            return None
        return int(self._files[row]), int(self._offsets[row])

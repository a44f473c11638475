"""A copy of the columns on disk, so a command need not read the whole repository.

If the file is missing, old or damaged, the columns are read from the repository again.
"""

import io
import os
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from msgspec import Struct

from thresher.file_rights import follow
from thresher.search.columns import NAMES, TYPES, Columns, Numbers
from thresher.search.text_index import FOLDER

FILE: Final = "columns.zip"
VERSION: Final = 2
_LARGEST: Final = 8 << 30


class _Head(Struct, frozen=True):
    version: int
    seq: int
    names: dict[str, list[str]]
    originals: dict[str, int]
    scores_version: int


def save(portal: Path, columns: Columns) -> None:
    """Save the columns of a portal; a full disk or a read-only portal is ignored."""
    path = portal / FOLDER / FILE
    draft = path.with_name(f"{FILE}.{os.getpid()}")
    originals = {str(id_): original for id_, original in columns.originals.items()}
    head = _Head(VERSION, columns.seq, columns.names, originals, columns.scores_version)
    with suppress(OSError):
        try:
            with zipfile.ZipFile(draft, "w", zipfile.ZIP_STORED) as packed:
                packed.writestr("head.json", msgspec.json.encode(head))
                for name, array in columns.arrays.items():
                    with packed.open(f"{name}.npy", "w", force_zip64=True) as file:
                        np.lib.format.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
            follow(draft)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def load(portal: Path) -> Columns:
    """Return the columns saved last, or empty columns if there are none."""
    columns = Columns()
    try:
        with zipfile.ZipFile(portal / FOLDER / FILE) as packed:
            if sum(part.file_size for part in packed.infolist()) > _LARGEST:
                return Columns()
            head = msgspec.json.decode(packed.read("head.json"), type=_Head)
            arrays = {name: _array(packed.read(f"{name}.npy")) for name in TYPES}
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile, msgspec.DecodeError):
        return columns
    sizes = {array.shape for array in arrays.values()}
    right = all(array.dtype == TYPES[name] for name, array in arrays.items())
    inside = all(np.all(arrays[name] < len(head.names.get(name, []))) for name in NAMES)
    if head.version != VERSION or len(sizes) != 1 or not right or not inside:
        return columns
    columns.seq, columns.names, columns.arrays = head.seq, head.names, arrays
    columns.scores_version = head.scores_version
    columns.originals = {int(id_): original for id_, original in head.originals.items()}
    return columns


def _array(data: bytes) -> Numbers:
    array: Numbers = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    return array

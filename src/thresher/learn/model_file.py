"""Model files: a zip with a JSON header and arrays, and no code.

The same model gives the same bytes, so their digest is its version. Input is untrusted: sizes are checked before
anything is decompressed, and object arrays are refused.
"""

import io
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from thresher.errors import InputError
from thresher.file_rights import follow, make_folder
from thresher.work_faults import ModelUnusable

MAX_BYTES: Final = 256 << 20
"""Maximum decompressed size of a model in bytes."""

_HEADER: Final = "header.json"
_ARRAY: Final = ".npy"
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, KeyError, ValueError, EOFError, OSError, RuntimeError)
_REMEDY: Final = "Train the model again."

Arrays = Mapping[str, NDArray[Any]]


def version_of(packed: bytes) -> str:
    """Return the version of a packed model: a short digest of its bytes.

    >>> version_of(pack({"kind": "flat"}, {})) == version_of(pack({"kind": "flat"}, {}))
    True
    """
    return blake2b(packed, digest_size=8).hexdigest()


def pack(header: Mapping[str, Any], arrays: Arrays) -> bytes:
    """Return a model as bytes; the header is JSON data, the arrays are numeric."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        written = json.dumps(header, ensure_ascii=False, sort_keys=True, allow_nan=False)
        archive.writestr(zipfile.ZipInfo(_HEADER, _EPOCH), written, zipfile.ZIP_DEFLATED)
        for name in sorted(arrays):
            data = io.BytesIO()
            np.lib.format.write_array(data, np.ascontiguousarray(arrays[name]), version=(1, 0), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(name + _ARRAY, _EPOCH), data.getvalue(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def unpack(packed: bytes, max_bytes: int = MAX_BYTES) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header and arrays of a packed model; raise InputError if it is damaged or too large.

    >>> header, arrays = unpack(pack({"kind": "flat"}, {"idf": np.ones(2)}))
    >>> header, arrays["idf"].tolist()
    ({'kind': 'flat'}, [1.0, 1.0])
    """
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            entries = archive.infolist()
            if sum(entry.file_size for entry in entries) > max_bytes:
                raise InputError(f"A model unpacks to more than {max_bytes} bytes.", _REMEDY, ModelUnusable())
            header = json.loads(_content(archive, _HEADER))
            names = [entry.filename for entry in entries if entry.filename.endswith(_ARRAY)]
            arrays = {name.removesuffix(_ARRAY): _array(_content(archive, name)) for name in names}
    except _DAMAGE as error:
        raise InputError(f"A model file is damaged: {error}.", _REMEDY, ModelUnusable()) from None
    if not isinstance(header, dict):
        raise InputError("A model file has no header.", _REMEDY, ModelUnusable())
    return header, arrays


def _content(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return an entry, never more of it than its declared size."""
    with archive.open(name) as entry:
        return entry.read(archive.getinfo(name).file_size)


def _array(data: bytes) -> NDArray[Any]:
    stream = io.BytesIO(data)
    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise ValueError("unknown array format")
    try:
        shape, _, kind = np.lib.format.read_array_header_1_0(stream)
    except Exception as error:
        # It is parsed as a Python literal, which can fail in many ways.
        raise ValueError(f"the header of an array cannot be read ({error})") from None
    # The header of an array may claim more than there is; check that before allocating memory.
    if kind.hasobject or kind.itemsize * int(np.prod(shape, dtype=object)) != len(data) - stream.tell():
        raise ValueError("an array does not fit its header")
    stream.seek(0)
    return np.lib.format.read_array(stream, allow_pickle=False)


def save(path: Path, packed: bytes) -> None:
    """Write a packed model to a file atomically."""
    make_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(packed)
            file.flush()
            os.fsync(file.fileno())
        follow(Path(name))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def load(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """Return a packed model from its file; raise InputError if there is none or it is too large."""
    try:
        if path.stat().st_size > max_bytes:
            raise InputError(f"The model '{path}' has more than {max_bytes} bytes.", _REMEDY, ModelUnusable())
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"The model '{path}' cannot be read: {error.strerror}.", _REMEDY, ModelUnusable()) from None

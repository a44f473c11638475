"""Writes reproducible ZIP files, without time or owner."""

import zipfile
from collections.abc import Mapping
from io import BytesIO

_MOMENT = (2024, 1, 31, 12, 0, 0)


def write_zip(files: Mapping[str, bytes]) -> bytes:
    """Return a ZIP file with the given files by name, in order.

    >>> write_zip({"a.txt": b"Boats"})[:2]
    b'PK'
    """
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, body in files.items():
            packed.writestr(zipfile.ZipInfo(name, _MOMENT), body, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()

"""Archives (ZIP, TAR, GZ): their files, each unpacked on demand."""

import posixpath
import tarfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Final
from urllib.parse import unquote

from thresher.documents.formats.format import Format, Stored
from thresher.documents.formats.limits import ReaderGaveUp, UnpackBudget
from thresher.documents.formats.zipped import MAX_ENTRIES, Zipped
from thresher.reasons import Reason

_BLOCK: Final = 1 << 16
_MAX_PARTS: Final = 1000
_NAMED: Final = 8


def _zip_files(body: bytes, _: str, budget: UnpackBudget) -> Iterator[Stored]:
    package = Zipped(body, budget)
    for member in package.names():
        yield Stored(member, lambda member=member: package.read(member))  # type: ignore[misc]


def _gzip_files(body: bytes, name: str, budget: UnpackBudget) -> Iterator[Stored]:
    """Yield the one file of a GZ, named after the archive if it has no name itself, or the files of a TAR in it."""
    content = _ungzipped(body, budget)
    if _is_tar(content):
        yield from _tar_files(content, name, budget)
    else:
        yield Stored(_gzip_name(body, name), lambda: content)


def _is_tar(head: bytes) -> bool:
    return head[257:262] == b"ustar"


def _tar_files(body: bytes, _: str, budget: UnpackBudget) -> Iterator[Stored]:
    """Yield the regular files of a TAR; links, devices and sparse files are skipped."""
    try:
        with tarfile.open(fileobj=BytesIO(body), mode="r:") as archive:
            for number, member in enumerate(archive):
                if number >= MAX_ENTRIES:
                    raise ReaderGaveUp(Reason.OVER_LIMITS, f"it has more than {MAX_ENTRIES} entries")
                if member.isreg() and not member.issparse():
                    yield Stored(member.name, lambda member=member: _tar_file(archive, member, budget))  # type: ignore[misc]
    except (tarfile.TarError, ValueError, OverflowError, EOFError, OSError) as error:
        raise ReaderGaveUp(Reason.UNREADABLE, f"its TAR is broken: {error}"[:200]) from None


def _tar_file(archive: tarfile.TarFile, member: tarfile.TarInfo, budget: UnpackBudget) -> bytes:
    budget.spend(max(member.size, 0))
    try:
        file = archive.extractfile(member)
        return file.read(member.size) if file is not None else b""
    except (tarfile.TarError, ValueError, OverflowError, EOFError, OSError) as error:
        raise ReaderGaveUp(Reason.UNREADABLE, f"it is broken in its TAR: {error}"[:200]) from None


def _ungzipped(body: bytes, budget: UnpackBudget) -> bytes:
    """Return the unpacked content of all parts of a GZ; raise Refusal if it is too large or a part is broken."""
    blocks: list[bytes] = []
    rest, parts = body, 0
    while rest[:2] == b"\x1f\x8b" and parts < _MAX_PARTS:
        parts += 1
        stream = zlib.decompressobj(31)
        while not stream.eof:
            try:
                block = stream.decompress(rest, _BLOCK)
            except zlib.error as error:
                raise ReaderGaveUp(Reason.UNREADABLE, f"its GZ is broken: {error}"[:200]) from None
            if not block and not stream.unconsumed_tail and not stream.eof:
                raise ReaderGaveUp(Reason.UNREADABLE, "its GZ is truncated")
            budget.spend(len(block))
            blocks.append(block)
            rest = stream.unconsumed_tail
        rest = stream.unused_data
    return b"".join(blocks)


def _gzip_name(body: bytes, archive: str) -> str:
    """Return the name of the file in a GZ: the original name, or that of the archive without its extension."""
    if body[3:4] and body[3] & _NAMED and not body[3] & 4:
        told = body[10:522].partition(b"\0")[0].decode("latin-1")
        if told:
            return posixpath.basename(told)
    name = posixpath.basename(unquote(archive.partition("?")[0]))
    bare = name[: -len(".gz")] if name.lower().endswith(".gz") else ""
    return bare or f"{name or 'file'}.content"


ZIP: Final = Format(
    name="application/zip",
    aliases=("application/x-zip", "application/x-zip-compressed"),
    endings=(".zip",),
    begins=(b"PK\x03\x04", b"PK\x05\x06"),
    files=_zip_files,
)
GZIP: Final = Format(
    name="application/gzip",
    aliases=("application/x-gzip", "application/x-tgz"),
    endings=(".gz", ".tgz"),
    begins=(b"\x1f\x8b\x08",),
    files=_gzip_files,
)
TAR: Final = Format(
    name="application/x-tar",
    aliases=("application/x-gtar", "application/tar"),
    endings=(".tar",),
    recognises=_is_tar,
    unsigned=True,
    files=_tar_files,
)

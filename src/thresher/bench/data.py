"""The public collections of the bench: their archives, unpacked once into the user's cache folder."""

import lzma
import os
import shutil
import tarfile
import tempfile
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Final

from thresher.errors import InputError

_DIGEST_BYTES: Final = 16
_BLOCK: Final = 1 << 20


def collection(name: str, data: Path) -> Path:
    """Return the directory with the unpacked archive of a collection, which is a folder in `data`.

    The archive is the only `.tar.xz` in the folder. The first call unpacks it under its digest; its directory appears
    when it is complete. Files next to the archive are read in place.
    """
    folder = data / name
    archives = sorted(folder.glob("*.tar.xz")) if folder.is_dir() else []
    if len(archives) != 1:
        raise InputError(
            f"There is no collection '{name}' in '{data}'.",
            "Give the folder of the datasets with --data or THRESHER_DATA; docs/DATA.md says where they come from.",
        )
    unpacked = cache_folder() / "data" / f"{name}-{_digest(archives[0])}"
    if not unpacked.is_dir():
        _unpack(archives[0], unpacked)
    return unpacked


def cache_folder() -> Path:
    """Return the user's cache folder: `$XDG_CACHE_HOME/thresher`, or `~/.cache/thresher`."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if os.path.isabs(home) else Path.home() / ".cache") / "thresher"


def _digest(path: Path) -> str:
    digest = blake2b(digest_size=_DIGEST_BYTES)
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _unpack(archive: Path, target: Path) -> None:
    """Unpack an archive next to its target and rename it; if another process was faster, use its result."""
    target.parent.mkdir(parents=True, exist_ok=True)
    working = Path(tempfile.mkdtemp(prefix=f"{target.name}.", dir=target.parent))
    try:
        _extract(archive, working)
        try:
            working.rename(target)
        except OSError:
            if not target.is_dir():
                raise
    except (tarfile.TarError, lzma.LZMAError, EOFError, OSError) as error:
        raise InputError(
            f"The archive '{archive}' cannot be unpacked into '{target.parent}': {error}.",
            "Check that it is complete and that the disk has room.",
        ) from error
    finally:
        shutil.rmtree(working, ignore_errors=True)


def _extract(archive: Path, folder: Path) -> None:
    """Extract the regular files of an archive into a folder, and nothing else."""
    with tarfile.open(archive, "r:xz") as tar:
        for member in tar:
            path = PurePosixPath(member.name)
            source = tar.extractfile(member) if member.isreg() else None
            if source is None or path.is_absolute() or ".." in path.parts:
                continue
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("wb") as out:
                shutil.copyfileobj(source, out, _BLOCK)

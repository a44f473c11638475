"""A digest of source code, so results of different code are not mixed."""

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

import thresher


def code_digest(parts: Iterable[str], also: Iterable[Path] = ()) -> str:
    """Return a hex digest of some folders and files of this package (code and word lists), and of files elsewhere.

    >>> code_digest(["types.py"]) == code_digest(["types.py"]) != code_digest(["text"])
    True
    """
    root = Path(thresher.__file__).parent
    digest = blake2b(digest_size=16)
    for part in parts:
        inside = (path for path in (root / part).rglob("*") if path.suffix in (".py", ".txt"))
        for path in [root / part] if part.endswith(".py") else sorted(inside):
            digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    for path in also:
        digest.update(f"{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()

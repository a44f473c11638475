"""The key pair of a portal: its identity among peers.

The private key is stored in the portal's directory, in a file that only its owner can read. It is created when first
needed and never sent anywhere. Peers identify a portal by its public key, as 64 hexadecimal digits.
"""

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from thresher.errors import PortalError
from thresher.work_faults import KeyUnusable

FILE: Final = "peers.key"
"""The file with a portal's private key."""

_SEED: Final = 32
_PUBLIC: Final = re.compile(r"[0-9a-f]{64}")
_SIGNATURE: Final = 64


class PeerKey:
    """A private key for signing; `public` is the identity by which others know its owner."""

    def __init__(self, seed: bytes) -> None:
        self._key = SigningKey(seed)
        self.public = self._key.verify_key.encode().hex()

    def sign(self, data: bytes) -> bytes:
        """Return the signature of data, 64 bytes."""
        return self._key.sign(data).signature


def is_public_key(text: str) -> bool:
    """Return whether a text has the format of a public key.

    >>> is_public_key("ab" * 32), is_public_key("ab"), is_public_key("AB" * 32)
    (True, False, False)
    """
    return _PUBLIC.fullmatch(text) is not None


def verified(public: str, data: bytes, signature: bytes) -> bool:
    """Return whether a signature of data was made with the private key for a public key.

    >>> key = PeerKey(bytes(32))
    >>> verified(key.public, b"hello", key.sign(b"hello")), verified(key.public, b"hullo", key.sign(b"hello"))
    (True, False)
    """
    if not is_public_key(public) or len(signature) != _SIGNATURE:
        return False
    try:
        VerifyKey(bytes.fromhex(public)).verify(data, signature)
    except BadSignatureError:
        return False
    return True


def shown(public: str) -> str:
    """Return a public key in groups of four digits, for comparison by people.

    >>> shown("0123456789abcdef" * 4)[:19]
    '0123 4567 89ab cdef'
    """
    return " ".join(public[place : place + 4] for place in range(0, len(public), 4))


def own_key(portal: Path) -> PeerKey:
    """Return the key of a portal, created if there is none; raise PortalError if its file cannot be used."""
    file = portal / FILE
    try:
        seed = _read(file)
        if seed is None:
            _write(file, os.urandom(_SEED))
            seed = _read(file)
    except (OSError, ValueError) as error:
        raise _unusable(file, getattr(error, "strerror", None) or "it is damaged") from None
    if seed is None or len(seed) != _SEED:
        raise _unusable(file, "it is damaged")
    return PeerKey(seed)


def _read(file: Path) -> bytes | None:
    try:
        text = file.read_text("ascii")
    except FileNotFoundError:
        return None
    if file.stat().st_mode & 0o077:
        # Copying a portal may have loosened the permissions.
        file.chmod(0o600)
    return bytes.fromhex(text.strip())


def _write(file: Path, seed: bytes) -> None:
    """Write a key to a private file, unless another process has written one first."""
    half = file.with_name(f"{file.name}.{os.getpid()}.part")
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            out.write(seed.hex() + "\n")
            out.flush()
            os.fsync(out.fileno())
        # Creating a link fails if the file exists, so the key of the first process stays.
        with suppress(FileExistsError):
            os.link(half, file)
    finally:
        half.unlink(missing_ok=True)


def _unusable(file: Path, why: str) -> PortalError:
    return PortalError(
        f"The key file {file} cannot be used: {why}.",
        "Check its permissions, or delete it: the portal then gets a new key, and its peers must allow it again.",
        KeyUnusable(),
    )

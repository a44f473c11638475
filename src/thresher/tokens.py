"""Random tokens and their digests, which are stored instead of the tokens."""

import hashlib
import secrets
from typing import Final

_LENGTH: Final = 32


def new_token() -> str:
    """Return a random token that cannot be guessed."""
    return secrets.token_urlsafe(_LENGTH)


def digest(token: str) -> bytes:
    """Return the digest of a token."""
    return hashlib.sha256(token.encode()).digest()

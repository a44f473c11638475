"""Cards: the signed entries by which peers announce themselves in the overlay.

Neighbour lists pass through many peers. Because every entry is signed by the peer it describes, nobody else can change
its address or time.
"""

import hashlib
import re
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from thresher.peers.keys import PeerKey, is_public_key, verified
from thresher.peers.overlay import Neighbour

MOST_CARDS: Final = 64
"""Maximum number of entries read per message."""

LONGEST_ADDRESS: Final = 500
LONGEST_NAME: Final = 60

LEAST_DIGITS: Final = 4
"""Minimum number of digits to abbreviate a key."""

_LIKE_A_KEY: Final = re.compile(rf"[0-9a-f]{{{LEAST_DIGITS},}}")


def is_address(text: str) -> bool:
    """Return whether a text is a valid address of a peer: an absolute http or https URL without unusual parts.

    >>> is_address("https://a.test/portal/"), is_address("ftp://a.test/"), is_address("http://a b/"), is_address("")
    (True, False, False, False)
    """
    if not 0 < len(text) <= LONGEST_ADDRESS or not text.isascii() or not text.isprintable() or " " in text:
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query and not parts.fragment


def name_in(said: str, key: str) -> str:
    """Return a safe display name for a peer: printable, short, and not confusable with a key.

    >>> name_in("Anna's boats\x07", "ab" * 32), name_in("01 23 CD", "ab" * 32), name_in(" ", "ab" * 32)
    ("Anna's boats", 'abababab', 'abababab')
    """
    name = "".join(letter for letter in said if letter.isprintable())[:LONGEST_NAME].strip()
    like_a_key = _LIKE_A_KEY.fullmatch(name.replace(" ", "").lower())
    return key[:8] if like_a_key or not name else name


def card_of(key: PeerKey, address: str, at: float) -> Neighbour:
    """Return the signed card of a peer at an address."""
    return Neighbour(key.public, address, at, key.sign(_signed(key.public, address, at)).hex())


def read_cards(data: Any) -> list[Neighbour]:
    """Return the valid cards in a received list, at most `MOST_CARDS`; invalid and forged ones are left out."""
    found = []
    for one in data[:MOST_CARDS] if isinstance(data, list) else []:
        try:
            card = msgspec.convert(one, Neighbour)
            signature = bytes.fromhex(card.signature)
        except (msgspec.ValidationError, ValueError, RecursionError):
            continue
        genuine = is_public_key(card.key) and is_address(card.address)
        if genuine and verified(card.key, _signed(card.key, card.address, card.at), signature):
            found.append(card)
    return found


def written_cards(cards: Iterable[Neighbour]) -> list[dict[str, Any]]:
    """Return cards as data for a message."""
    return [msgspec.structs.asdict(card) for card in cards]


def _signed(key: str, address: str, at: float) -> bytes:
    text = f"thresher-card\n{key}\n{address}\n{at!r}"
    return hashlib.blake2b(text.encode("ascii", "replace"), digest_size=32).digest()

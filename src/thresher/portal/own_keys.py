"""Keyboard shortcuts: the defaults, a reader's own, or none.

They are stored in a cookie as one character per action, in the order of `USUAL`; a blank turns an action off.
"""

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, unquote

USUAL: Final = {
    "search": "/",
    "help": "?",
    "go": "g",
    "down": "j",
    "up": "k",
    "open": "o",
    "copy": "c",
    "similar": "s",
    "why": "w",
    "next": "n",
    "previous": "p",
}
"""The default key of each action."""

OFF: Final = "off"
_LONGEST_COOKIE: Final = 100


def keys_in(cookie: str) -> dict[str, str]:
    """Return the key of each action from a cookie, or the defaults if the cookie is empty or invalid.

    >>> keys_in("")["down"], keys_in(cookie_of({**USUAL, "down": "x", "up": ""}))["down"], keys_in("%FF")["up"]
    ('j', 'x', 'k')
    """
    typed = unquote(cookie[:_LONGEST_COOKIE])
    if len(typed) != len(USUAL):
        return dict(USUAL)
    keys = {action: key.strip() for action, key in zip(USUAL, typed, strict=True)}
    return dict(USUAL) if fault_of(keys) else keys


def cookie_of(keys: Mapping[str, str]) -> str:
    """Return the cookie value for the keys of all actions; "" for the defaults."""
    return "" if dict(keys) == USUAL else quote("".join(keys[action] or " " for action in USUAL))


def fault_of(keys: Mapping[str, str]) -> str | None:
    """Return the message key of what is wrong with the keys, or None if they are valid.

    >>> fault_of({**USUAL, "up": "j"}), fault_of({**USUAL, "up": "up"}), fault_of({**USUAL, "up": ""})
    ('keys.twice', 'keys.one_letter', None)
    """
    used = [key for key in keys.values() if key]
    if any(len(key) != 1 or not "!" <= key <= "~" for key in used):
        return "keys.one_letter"
    return "keys.twice" if len(set(used)) < len(used) else None

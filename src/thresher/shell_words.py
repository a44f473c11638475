"""Formats commands so that they can be pasted into a shell."""

import os
import re
import shlex
from collections.abc import Iterable
from pathlib import PurePath
from typing import Final

_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a terminal cannot show faithfully; a copy of them would differ."""


def shell_words(words: Iterable[object]) -> str:
    """Return a command line that a shell splits into exactly these words.

    A path that starts with a dash is written so that no program mistakes it for an option. Characters that a terminal
    would change are written as `$'\\n'`, which bash, zsh and POSIX shells since 2024 understand.

    >>> shell_words(["thresher", "train", "my portal"])
    "thresher train 'my portal'"
    >>> print(shell_words(["thresher", "train", PurePath("-rf"), "two\\nlines"]))
    thresher train ./-rf $'two\\x0alines'
    """
    return " ".join(_word(word) for word in words)


def _word(word: object) -> str:
    text = str(word)
    if isinstance(word, PurePath) and text.startswith("-"):
        text = f"./{text}"
    if not _UNSEEN.search(text):
        return shlex.quote(text)
    return "$'" + "".join(_escaped(character) for character in text) + "'"


def _escaped(character: str) -> str:
    if character in "\\'":
        return f"\\{character}"
    if not _UNSEEN.match(character):
        return character
    # Escapes of exactly two digits are the same in all shells.
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(character))

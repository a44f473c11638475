"""Commands as text that a person can paste into a shell."""

import os
import re
import shlex
from collections.abc import Iterable
from pathlib import PurePath
from typing import Final

_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a screen cannot show as they are, so that a copy from it would differ."""


def shell_words(words: Iterable[object]) -> str:
    """Return a command line that a shell takes apart into exactly these words.

    A path that begins with a dash is written so that no program takes it for an option. Characters that a screen would
    change are written as `$'\\n'`, which bash, zsh and POSIX shells since 2024 understand.

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

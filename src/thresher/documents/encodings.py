"""Detects the encoding of a body and decodes it as browsers do.

The encoding is determined by, in this order: a byte order mark, the server, the page itself, or else detection.
Python's codecs decode; if their tables differ from the Encoding Standard, the standard's tables are used.
"""

import codecs
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from resiliparse.parse.encoding import detect_encoding

from thresher.documents.east_asian import decode_euc_jp, decode_iso_2022_jp, decode_pairs
from thresher.documents.labels import encoding_for
from thresher.documents.prescan import charset_in, declared_encoding

FALLBACK: Final = "windows-1252"
"""The encoding assumed if a body gives no clue."""

_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_CODECS: Final = {
    "utf-8": "utf-8",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
}
_PAIRS: Final = {"shift_jis": "cp932", "euc-kr": "cp949", "big5": "big5hkscs", "gbk": "gb18030", "gb18030": "gb18030"}
_SINGLE: Final = {
    "ibm866": "cp866",
    "iso-8859-8-i": "iso8859-8",
    "macintosh": "mac-roman",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
}
# Characters that the standard's tables have and Python's codecs do not.
_PATCHES: Final = {"koi8-u": {0xAE: "ў", 0xBE: "Ў"}, "windows-1255": {0xCA: "\u05ba"}}
# Names used by the detector that are not labels of the standard.
_DETECTED: Final = {"cp949": "euc-kr", "johab": "euc-kr", "mac-cyrillic": "x-mac-cyrillic", "iso2022-jp": "iso-2022-jp"}
_SAMPLE: Final = 1 << 15


def decode(body: bytes, content_type: str | None = None) -> tuple[str, str]:
    """Return the text of a body and the name of its encoding in lower case; never raise.

    `content_type` is the header field, or None if there was none. Invalid bytes become U+FFFD.

    >>> decode(b"caf\\xe9", "text/html; charset=iso-8859-1")
    ('café', 'windows-1252')
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(_CODECS[name], "replace"), name
    named = charset_in(content_type or "") or (None if _is_plain(content_type) else declared_encoding(body))
    return (decode_as(body, named), named) if named else _guess(body)


def _is_plain(content_type: str | None) -> bool:
    return (content_type or "").partition(";")[0].strip().lower() == "text/plain"


def _guess(body: bytes) -> tuple[str, str]:
    """Decode a body without a declared encoding."""
    if body.isascii():
        return body.decode("ascii"), FALLBACK
    try:
        return body.decode(), "utf-8"
    except UnicodeDecodeError:
        try:
            detected = (detect_encoding(body, _SAMPLE, html5_compatible=False) or "").lower()
        except Exception:
            detected = ""
        detected = detected if encoding_for(detected) else detected.replace("_", "-")
        name = encoding_for(_DETECTED.get(detected, detected)) or FALLBACK
        return decode_as(body, name), name


def decode_as(body: bytes, name: str) -> str:
    """Decode a body in an encoding of the standard, given by its name in `labels`.

    >>> decode_as(b"\\x81 \\x93", "windows-1252")
    '\\x81 “'
    """
    if name in _CODECS:
        return body.decode(_CODECS[name], "replace")
    if name in _PAIRS:
        return decode_pairs(body, _PAIRS[name])
    special = _SPECIAL.get(name)
    if special is not None:
        return special(body)
    return codecs.charmap_decode(body, "replace", _table(name))[0]


@lru_cache(maxsize=64)
def _table(name: str) -> str:
    """Return the 256 characters of a single-byte encoding; undefined control codes map to themselves."""
    patches = _PATCHES.get(name, {})
    chars = []
    for byte in range(0x100):
        char = patches.get(byte) or bytes([byte]).decode(_SINGLE.get(name, name), "replace")
        chars.append(chr(byte) if char == "\ufffd" and byte < 0xA0 else char)
    return "".join(chars)


def _user_defined(body: bytes) -> str:
    table = "".join(chr(byte if byte < 0x80 else 0xF700 + byte) for byte in range(0x100))
    return codecs.charmap_decode(body, "replace", table)[0]


def _replacement(body: bytes) -> str:
    """Return a replacement character for encodings that can hide attacks."""
    return "\ufffd" if body else ""


_SPECIAL: Final[dict[str, Callable[[bytes], str]]] = {
    "euc-jp": decode_euc_jp,
    "iso-2022-jp": decode_iso_2022_jp,
    "x-user-defined": _user_defined,
    "replacement": _replacement,
}

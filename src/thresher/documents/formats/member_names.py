"""Names of files in archives: which are safe, and the address of a member.

Names are never used as paths on this machine. A name that leaves its archive is still refused, because it would get the
address of another page.
"""

import mimetypes
import posixpath
import re
from typing import Final
from urllib.parse import quote

MAX_NAME: Final = 300

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_SAFE: Final = "/~!$&'()*+,;=:@-._"
_SILENT: Final = ("image/", "audio/", "video/", "font/", "chemical/", "model/")
_HIDDEN: Final = frozenset(["__MACOSX", ".git", ".svn", ".hg"])


def safe_name(name: str) -> str | None:
    """Return the name of a member with plain slashes, or None if it is unsafe.

    >>> safe_name(r"texts\\boats.txt"), safe_name("./a"), safe_name("../../etc/passwd"), safe_name("/etc/passwd")
    ('texts/boats.txt', 'a', None, None)
    """
    plain = name.replace("\\", "/")
    if not plain or len(plain) > MAX_NAME or _CONTROL.search(plain) or plain.startswith("/") or _DRIVE.match(plain):
        return None
    parts = plain.split("/")
    if ".." in parts:
        return None
    kept = [part for part in parts if part not in ("", ".")]
    return "/".join(kept) or None


def quoted(name: str) -> str:
    """Return a safe name as a part of an address.

    >>> quoted("50% off?.txt")
    '50%25%20off%3F.txt'
    """
    return quote(name.encode("utf-8", "replace"), safe=_SAFE)


def is_hidden(name: str) -> bool:
    """Return whether a member is only useful to the program that created the archive."""
    parts = name.split("/")
    return not _HIDDEN.isdisjoint(parts) or parts[-1].startswith(".")


def is_silent(name: str) -> bool:
    """Return whether a name suggests a picture, a sound or another type without text.

    >>> is_silent("boat.PNG"), is_silent("boat.dat")
    (True, False)
    """
    return (mimetypes.guess_type(posixpath.basename(name).lower())[0] or "").startswith(_SILENT)

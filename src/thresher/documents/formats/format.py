"""Describes a file format: its names, how it is recognised, and how it is read."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import Struct

from thresher.documents.formats.extract import Extract
from thresher.documents.formats.limits import Limits, UnpackBudget
from thresher.documents.formats.zipped import Zipped


class Stored(NamedTuple):
    """A file in an archive: its name as written, and a function that unpacks it, which may raise Refusal."""

    name: str
    unpack: Callable[[], bytes]


class Format(Struct, frozen=True, kw_only=True):
    """A file format; modules in this folder declare the formats they read as values of this type.

    `name` is the MIME type and `aliases` are other types that servers use for it; `endings` are its file extensions,
    the most common first. At most `largest` bytes are fetched, unless the settings say otherwise.

    A file has this format if it starts with one of `begins`, or if `recognises` accepts its first bytes; formats that
    are `forgiving` are tried last. For formats whose files may be `unsigned`, the label decides in the end. A ZIP file
    has this format if it `holds` entries with certain names, or declares the type itself.

    One of three functions reads it: `text` takes bytes, address and limits; `package` takes a ZIP file instead of
    bytes; and `files` returns the contents of an archive, given its bytes, its name and the number of bytes it may
    unpack to. Each may raise Refusal, or whatever a parser raises for a broken file.
    """

    name: str
    aliases: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    largest: int = 20_000_000
    begins: tuple[bytes, ...] = ()
    recognises: Callable[[bytes], bool] | None = None
    forgiving: bool = False
    unsigned: bool = False
    holds: tuple[str, ...] = ()
    text: Callable[[bytes, str, Limits], Extract] | None = None
    package: Callable[[Zipped, str, Limits], Extract] | None = None
    files: Callable[[bytes, str, UnpackBudget], Iterator[Stored]] | None = None

    @property
    def mimes(self) -> tuple[str, ...]:
        """All MIME types of the format, its own first."""
        return (self.name, *self.aliases)

    def has(self, head: bytes) -> bool:
        """Return whether a file with these first bytes has this format.

        >>> Format(name="application/x-boat", begins=(b"BOAT",)).has(b"BOAT 1.0")
        True
        """
        known = bool(self.begins) and head.startswith(self.begins)
        return known or (self.recognises is not None and self.recognises(head))

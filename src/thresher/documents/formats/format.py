"""What is known of a kind of file: its names, the bytes it is told by, and how it is read."""

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
    """A kind of file; a file of this folder declares the kinds that it reads by values of this type.

    `name` is the MIME type and `aliases` are other types that servers send it under; `endings` are those of file names,
    the first is what people call it. At most `largest` bytes are fetched, unless the settings say otherwise.

    A file is of this kind if it begins with one of `begins`, or if `recognises` says so of its first bytes; a kind with
    `forgiving` is asked when all others have said no. Of a kind whose files may be `unsigned` the label counts in the
    end. A ZIP file is of this kind if it `holds` entries under all of some names, or names the type itself.

    One of three functions reads it: `text` is given bytes, address and limits, `package` a ZIP file in place of the
    bytes, and `files` gives what is in an archive, from its bytes, its name and the bytes it may unpack to. Each may
    raise Refusal, and whatever a broken file makes a parser raise.
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
        """All types the kind is sent under, its own first."""
        return (self.name, *self.aliases)

    def has(self, head: bytes) -> bool:
        """Return whether first bytes are those of such a file.

        >>> Format(name="application/x-boat", begins=(b"BOAT",)).has(b"BOAT 1.0")
        True
        """
        known = bool(self.begins) and head.startswith(self.begins)
        return known or (self.recognises is not None and self.recognises(head))

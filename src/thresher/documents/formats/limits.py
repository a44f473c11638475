"""Limits for reading a file, and the exception with which a reader gives up."""

from msgspec import Struct

from thresher.reasons import Reason


class Limits(Struct, frozen=True, kw_only=True):
    """Limits for one file.

    At most `words` words and `links` links are read, and `pages` pages, slides or sheets. `unpacked` is the total
    number of bytes a file may unpack to. At most `members` documents are read from an archive, and nested archives are
    opened down to `nesting` levels, including the first. Only members of the given `types` are read, or all if it is
    empty.
    """

    words: int = 200_000
    links: int = 10_000
    pages: int = 500
    unpacked: int = 64_000_000
    members: int = 100
    nesting: int = 2
    types: tuple[str, ...] = ()


class ReaderGaveUp(Exception):
    """Raised when a reader gives up, with the reason; caught while the same file is read."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class UnpackBudget:
    """The number of bytes that a file may still unpack to, shared by everything in it.

    >>> budget = UnpackBudget(10)
    >>> budget.spend(4)
    >>> budget.left
    6
    """

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, size: int) -> None:
        """Spend this many bytes; raise Refusal if there are not enough."""
        self.left -= size
        if self.left < 0:
            raise ReaderGaveUp(Reason.OVER_LIMITS, "it unpacks to more bytes than documents.unpacked_mb allows")

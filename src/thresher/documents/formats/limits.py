"""What a file may make its reader do, and how a reader says that it does not continue."""

from msgspec import Struct

from thresher.reasons import Reason


class Limits(Struct, frozen=True, kw_only=True):
    """Bounds of one file.

    `words` and `links` are read at most; `pages` of a PDF, slides or sheets are looked at; `unpacked` is the number of
    bytes all that is packed in a file may give together; an archive gives at most `members` documents, and archives
    inside of it are opened down to `nesting` levels, itself included. Members are read that are of one of the `types`;
    none named means all.
    """

    words: int = 200_000
    links: int = 10_000
    pages: int = 500
    unpacked: int = 64_000_000
    members: int = 100
    nesting: int = 2
    types: tuple[str, ...] = ()


class Refusal(Exception):
    """A reader gives up for a reason; raised and caught inside the reading of one file."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class UnpackBudget:
    """The bytes that one file may still unpack to, shared by all that is inside of it.

    >>> budget = UnpackBudget(10)
    >>> budget.spend(4)
    >>> budget.left
    6
    """

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, size: int) -> None:
        """Take so many bytes; raises Refusal if there are not enough."""
        self.left -= size
        if self.left < 0:
            raise Refusal(Reason.OVER_LIMITS, "it unpacks to more bytes than documents.unpacked_mb allows")

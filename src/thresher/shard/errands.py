"""Errands a shard gives out, and the tally of what it decided."""

from msgspec import Struct

from thresher.reasons import Reason
from thresher.types import Candidate


class Inside(Struct, frozen=True):
    """Where a member of an archive was: the URL of the archive; `size` is that of the member, in bytes."""

    archive: str
    size: int = 0


class Errand(Struct, frozen=True, kw_only=True, eq=False):
    """Something to fetch: a page, the robots file that must be known before it, or a page that cannot exist.

    An errand that is `inside` of another was done with it.
    """

    candidate: Candidate
    id: int
    host: str
    order: int = 0
    tries: int = 0
    robots: bool = False
    missing: bool = False
    inside: Inside | None = None


class Tally(Struct, kw_only=True):
    """What became of offered candidates, and of waiting ones that were cut or whose host was closed.

    >>> tally = Tally()
    >>> tally.refuse(Reason.NOFOLLOW)
    >>> tally.refused
    {'nofollow': 1}
    """

    added: int = 0
    merged: int = 0
    seen: int = 0
    cut: int = 0
    refused: dict[str, int] = {}

    def refuse(self, reason: Reason) -> None:
        """Count a refusal."""
        self.refused[reason.value] = self.refused.get(reason.value, 0) + 1

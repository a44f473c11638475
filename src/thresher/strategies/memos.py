"""Memos: what a page passes on to the pages it links to, in the strategy's own type.

A memo is stored with every waiting URL, as JSON of at most 1 KB; a struct may rename its fields to save space.
"""

from typing import Generic, TypeVar

from msgspec import MsgspecError, Struct, json

from thresher.errors import PluginError
from thresher.faults import StrategyFailed
from thresher.types import Candidate, Memo

M = TypeVar("M", bound=Struct)


class Memos(Generic[M]):
    """Writes and reads memos of one type.

    >>> class Way(Struct, frozen=True):
    ...     hops: int = 0
    >>> memos = Memos(Way)
    >>> memos.of(Candidate(url="http://a.test/", priority=(), memo=memos.write(Way(hops=2))))
    Way(hops=2)
    """

    def __init__(self, kind: type[M]) -> None:
        self._kind = kind
        self._encode = json.Encoder().encode
        self._decode = json.Decoder(kind).decode

    def write(self, memo: M) -> Memo:
        """Return a memo as stored in candidates."""
        return self._encode(memo).decode()

    def of(self, candidate: Candidate) -> M | None:
        """Return the memo of a candidate, or None if there is none.

        Raises PluginError if it has another type: a strategy never gets the memos of another one, but a newer version
        may get those of an older one.
        """
        if not candidate.memo:
            return None
        try:
            return self._decode(candidate.memo)
        except MsgspecError as error:
            raise PluginError(
                f"The memo stored for {candidate.url} is not a {self._kind.__name__}: {error}.",
                "The strategy has changed since this crawl began; start a new one with --fresh.",
                StrategyFailed(),
            ) from None

    def fits(self, candidate: Candidate) -> bool:
        """Return whether the memo of a candidate, if any, has this type."""
        try:
            self.of(candidate)
        except PluginError:
            return False
        return True

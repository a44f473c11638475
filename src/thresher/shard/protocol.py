"""The interface of a shard: what a crawl may ask of the frontier, hosts, robots.txt files and seen-set.

A shard holds the URLs of some registered domains; by default there is one that holds them all. Calls take and return
batches of plain values (`shard/values.py`), so a shard could also live in another process. `restore` comes first, then
`take`, `settle` and `offer` in turn, and `drain` for every transaction. A page enters a shard twice: with its outcome,
and with its links.
"""

from collections.abc import Sequence
from typing import Protocol

from thresher.shard.values import Changes, Look, Offer, Outcome, Settled, Taken
from thresher.types import Priority


class Shard(Protocol):
    """Knows which URLs are waiting, and when each may be fetched."""

    def restore(self) -> int:
        """Restore everything that was waiting when the crawl was stopped or killed; return the number of URLs.

        URLs that were taken but not settled count as waiting.
        """

    def offer(self, offers: Sequence[Offer]) -> None:
        """Decide about candidates, offer by offer: each is queued, merged with a waiting one, or refused.

        A candidate with a known URL changes at most the score of a waiting one, so the same offer can be made twice.
        Refused and cut URLs are counted in `look`.
        """

    def take(
        self,
        limit: int,
        *,
        least: Priority | None = None,
        busy: float = 0.0,
        budget: int | None = None,
        queues: Sequence[str] | None = None,
    ) -> Taken:
        """Hand out at most `limit` errands that may be done now; each must be settled.

        Nothing below the score `least` is handed out, except for the best URLs if less than the share `busy` of the
        hosts' capacity is in use; with a share above 0, the hosts are never all idle. No more errands are handed out
        than the `budget` of remaining pages. Queues with something to give are served in turn, or only those in
        `queues`, each as long as it has something.
        """

    def settle(self, outcomes: Sequence[Outcome]) -> list[Settled]:
        """Record the outcomes of errands and free their hosts; return the result for each, in the same order."""

    def reprice(self, prices: Sequence[tuple[str, Priority]]) -> int:
        """Change the priority of waiting URLs; return how many were waiting. Other URLs are ignored."""

    def close(self, queue: str, *, for_good: bool = True) -> int:
        """Remove all URLs waiting in a queue and accept no more; return the number removed.

        Errands in progress are still settled as usual. A URL found again for another queue may come back. A queue that
        is not closed `for_good` is only emptied and may fill again.
        """

    def drain(self) -> Changes:
        """Return all changes not returned before; the changes returned before must have been committed."""

    def look(
        self,
        *,
        urls: Sequence[str] = (),
        hosts: Sequence[str] = (),
        queues: bool = False,
        best: int = 0,
        ahead: int = 0,
        ready: int = 0,
        prices: bool = False,
    ) -> Look:
        """Return what can be seen, including unwritten changes, without changing anything.

        `best` is how many candidates of each queue to show, highest priority first; `ahead` how many hosts that are
        soon to be fetched from, nearest first; `ready` how many queues, next in turn first; `prices` whether to show
        what became of the pages fetched at each score.
        """

"""The interface of a shard: everything a crawl may ask of frontier, hosts, robots files and seen-set.

A shard holds the URLs of some registered domains; in the embedded default there is one, and it holds them all. Calls
take and give batches of plain values (`shard/values.py`), so that a shard could as well live in another process.
`restore` comes first, then `take`, `settle` and `offer` in turn, and `drain` for every transaction. A page enters a
shard twice: with its outcome, and with its links.
"""

from collections.abc import Sequence
from typing import Protocol

from thresher.shard.values import Changes, Look, Offer, Outcome, Settled, Taken
from thresher.types import Priority


class Shard(Protocol):
    """Which URLs wait, and when each may be fetched."""

    def restore(self) -> int:
        """Restore everything that waited when the crawl was stopped or killed; return how many URLs.

        What was taken and not settled counts as waiting.
        """

    def offer(self, offers: Sequence[Offer]) -> None:
        """Decide about candidates, offer after offer: each is queued, is merged with what waits, or is refused.

        A candidate whose URL is known changes nothing but the score of what waits; so the same offer can be made twice.
        What was refused or cut is counted in `look`.
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

        Nothing below the score `least` is handed out, except for the best if less than the share `busy` of the hosts'
        capacity is used; with a share above 0, the hosts are never all idle. Never more is given out than the `budget`
        of pages that is left. The queues that have something to give are served in turn, or only those in `queues`,
        each as long as it has something.
        """

    def settle(self, outcomes: Sequence[Outcome]) -> list[Settled]:
        """Record the outcome of errands and free their hosts; return what was made of each, in the same order."""

    def reprice(self, prices: Sequence[tuple[str, Priority]]) -> int:
        """Change the priority of waiting URLs; return how many of them waited. The others are passed over."""

    def close(self, queue: str, *, for_good: bool = True) -> int:
        """Remove all that waits in a queue and let nothing wait in it any more; return how many URLs were taken out.

        What is under way is still settled as ever. A URL that is found again for another queue may come back. A queue
        that is not closed `for_good` is only emptied, and not remembered.
        """

    def drain(self) -> Changes:
        """Return all changes that have not been given out; what was given out before must have been committed."""

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
        """Return what can be seen, unwritten changes included; nothing is changed by it.

        `best` is how many candidates of each queue to show, those of the highest priority first; `ahead` how many hosts
        of which something is soon to be fetched, the nearest first; `ready` how many queues, the next in turn first;
        `prices` whether to show what became of the pages fetched at each score.
        """

"""How the pages of a crawl are shared among its topics.

A large topic must not use up the whole budget. Of two equally good topics, the one with fewer pages goes first: a queue
loses score as it gets ahead of the others. Once a topic has used its share of the budget, its pages count as no better
than even odds. Topics with slow hosts get time to catch up, and pages that no other topic needs are still fetched.
"""

from collections.abc import Mapping
from math import inf, log
from typing import Final

from thresher.shard.queues import Key, Queue

FEW: Final = 5
"""Number of pages by which a queue is hardly ahead of others."""

EVEN: Final = 0.0
"""The highest score of a page whose queue has used its share: even odds."""


class TopicShares:
    """Counts the pages of each queue and scores queues by them.

    A queue loses `balance` times the logarithm of its pages relative to the mean of all queues; 0 leaves scores alone.

    >>> shares = TopicShares(balance=1.0)
    >>> for name in ("birds", "rocks"):
    ...     shares.join(name)
    >>> shares.count("birds", "birds", 30)
    >>> shares.share_out(left=10)
    >>> shares.had_its_share("birds"), shares.had_its_share("rocks")
    (True, False)
    """

    def __init__(self, balance: float = 0.0) -> None:
        self._balance = balance
        self._earlier: Mapping[str, int] = {}
        self._pages: dict[str, int] = {}
        self._pages_in_all = 0
        self._ended: dict[str, int] = {}
        self._pages_of_ended = 0
        self._share = inf

    def remember(self, pages: Mapping[str, int]) -> None:
        """Count existing pages by topic, before any queue joins."""
        self._earlier = pages

    def join(self, name: str) -> None:
        """Add a queue to those that share the budget, again if it had ended."""
        if name not in self._pages:
            self._pages[name] = self._earlier.get(name, 0)
            self._pages_in_all += self._pages[name]
        elif name in self._ended:
            self._pages_of_ended -= self._ended.pop(name)

    def end(self, name: str) -> None:
        """Release what an empty queue did not need to the others."""
        if name in self._pages:
            self._ended[name] = self._pages[name]
            self._pages_of_ended += self._pages[name]

    def count(self, queue: str, topic: str, pages: int) -> None:
        """Count pages that a queue has brought, for the queue of their topic if there is one."""
        name = topic if topic in self._pages else queue
        if name in self._pages:
            self._pages[name] += pages
            self._pages_in_all += pages
            if name in self._ended:
                self._ended[name] += pages
                self._pages_of_ended += pages

    def share_out(self, left: int | None) -> None:
        """Divide the pages so far and the `left` pages of the budget among the queues; None means no limit."""
        going = len(self._pages) - len(self._ended)
        pages = self._pages_in_all - self._pages_of_ended + (left or 0)
        self._share = pages / going if left is not None and going > 1 else inf

    def had_its_share(self, name: str) -> bool:
        """Return whether a queue has brought its share of pages."""
        return self._pages[name] >= self._share

    def key(self, queue: Queue) -> Key:
        """Return the key of the entry at the top of a queue, worse the further its topic is ahead of the others."""
        top = queue.ready[0]
        key = top[0]
        if not self._balance or not key or len(self._pages) < 2:
            return key
        # The entry counts for the topic of its host's pages, if that topic has a queue.
        topic = top[3].host.topic
        name = topic if topic in self._pages else queue.name
        mean = self._pages_in_all / len(self._pages)
        best = max(key[0], -EVEN) if self.had_its_share(name) else key[0]
        return (best + self._balance * log((self._pages[name] + FEW) / (mean + FEW)), *key[1:])

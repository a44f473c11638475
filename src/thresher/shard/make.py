"""Making shards: the only way to one from outside."""

from thresher.protocols import Clock, Merges
from thresher.shard.local import LocalShard
from thresher.shard.protocol import Shard
from thresher.shard.rules import Rules
from thresher.store.protocol import Store


def make_shard(store: Store, crawl: int, clock: Clock, rules: Rules, merge: Merges | None = None) -> Shard:
    """Return a shard that holds every host of a crawl.

    `merge` has its own rule for a link that is found again while its URL waits; without one the better link stays.
    """
    return LocalShard(store, crawl, clock, rules, merge)

"""Makes shards; code outside this folder creates them here only."""

from msgspec.structs import replace

from thresher.protocols import Clock, Merges
from thresher.shard.local import LocalShard
from thresher.shard.protocol import Shard
from thresher.shard.router import Router
from thresher.shard.rules import ShardRules, Share
from thresher.store.protocol import Store


def make_shard(store: Store, crawl: int, clock: Clock, rules: ShardRules, merge: Merges | None = None) -> Shard:
    """Return a shard that holds every host of a crawl.

    `merge` has its own rule for a link that is found again while its URL waits; without one the better link stays.
    """
    return LocalShard(store, crawl, clock, rules, merge)


def make_shards(
    number: int, store: Store, crawl: int, clock: Clock, rules: ShardRules, merge: Merges | None = None
) -> Shard:
    """Return so many shards behind one interface; registered domains are split among them by their hash."""
    shards = [
        LocalShard(store, crawl, clock, replace(rules, share=Share(part, number)), merge) for part in range(number)
    ]
    return Router(store, crawl, shards)

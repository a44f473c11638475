"""Creates shards; code outside this package creates them only here."""

from msgspec.structs import replace

from thresher.protocols import Clock, Merges
from thresher.shard.local import LocalShard
from thresher.shard.protocol import Shard
from thresher.shard.router import Router
from thresher.shard.rules import ShardRules, Share
from thresher.store.protocol import Store


def make_shard(store: Store, crawl: int, clock: Clock, rules: ShardRules, merge: Merges | None = None) -> Shard:
    """Return a shard that holds every host of a crawl.

    `merge` decides about a link found again while its URL is waiting; without it, the better link is kept.
    """
    return LocalShard(store, crawl, clock, rules, merge)


def make_shards(
    number: int, store: Store, crawl: int, clock: Clock, rules: ShardRules, merge: Merges | None = None
) -> Shard:
    """Return `number` shards behind one interface; registered domains are distributed among them by hash."""
    shards = [
        LocalShard(store, crawl, clock, replace(rules, share=Share(part, number)), merge) for part in range(number)
    ]
    return Router(store, crawl, shards, rules.within)

"""Every shard keeps the contract."""

from tests.shard.contract import Hand, ShardContract
from thresher.shard.make import make_shard, make_shards
from thresher.shard.protocol import Shard
from thresher.shard.rules import ShardRules
from thresher.store.memory import MemoryStore


class TestOneShard(ShardContract):
    """One shard that holds every host."""

    def make(self, store: MemoryStore, crawl: int, clock: Hand, rules: ShardRules) -> Shard:
        return make_shard(store, crawl, clock, rules)


class TestTwoShards(ShardContract):
    """Two shards behind a router, each with its part of the hosts."""

    def make(self, store: MemoryStore, crawl: int, clock: Hand, rules: ShardRules) -> Shard:
        return make_shards(2, store, crawl, clock, rules)

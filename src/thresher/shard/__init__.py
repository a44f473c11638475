"""The shard: which URLs wait, and when each may be fetched."""

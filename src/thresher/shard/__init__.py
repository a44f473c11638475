"""The shard: which URLs are waiting, and when each may be fetched."""

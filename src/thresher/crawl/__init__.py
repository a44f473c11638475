"""The crawling process: engine, frontier, hosts, shard, workers."""

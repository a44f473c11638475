-- Candidates on their way from the shard that found them to the one that has their host, as MessagePack. Nothing was
-- ever written to the earlier table.
DROP TABLE outbox;
CREATE TABLE outbox (
    crawl  INTEGER NOT NULL,
    id     INTEGER NOT NULL,
    letter BLOB NOT NULL,
    PRIMARY KEY (crawl, id)
) STRICT, WITHOUT ROWID;

-- Besides its rows, a shard now remembers more than what it has learned about traps.
ALTER TABLE trap_memories RENAME TO shard_memories;

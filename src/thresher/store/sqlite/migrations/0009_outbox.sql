-- Candidates on their way from the shard that found them to the one that holds their host, as MessagePack.
-- The table was there and nothing ever wrote it.
DROP TABLE outbox;
CREATE TABLE outbox (
    crawl  INTEGER NOT NULL,
    id     INTEGER NOT NULL,
    letter BLOB NOT NULL,
    PRIMARY KEY (crawl, id)
) STRICT, WITHOUT ROWID;

-- A shard remembers more beside its rows than what it learnt of traps.
ALTER TABLE trap_memories RENAME TO shard_memories;

-- What pages and sites reserve, and what is needed to go on telling traps from sites after a kill.

-- JSON [signal]: what a page and its site reserve against text mining and the training of models; NULL where nothing.
ALTER TABLE documents ADD COLUMN opt_outs TEXT;

-- Pages of a host without anything new that no new page has made up for.
ALTER TABLE hosts ADD COLUMN spent INTEGER NOT NULL DEFAULT 0;
-- JSON [{origin, digest, simhash, words}]: what each origin answers to an address that cannot exist; NULL where none
-- was asked.
ALTER TABLE hosts ADD COLUMN missing TEXT;

-- What the rules about traps had learnt of a crawl's addresses, as MessagePack.
CREATE TABLE trap_memories (
    crawl  INTEGER PRIMARY KEY,
    memory BLOB NOT NULL
) STRICT;

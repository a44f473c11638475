-- Opt-outs of pages and sites, and what is needed to recognise traps after a kill.

-- JSON [signal]: opt-outs of a page and its site from text mining and model training; NULL if there are none.
ALTER TABLE documents ADD COLUMN opt_outs TEXT;

-- Pages of a host without anything new, minus those that new pages have made up for.
ALTER TABLE hosts ADD COLUMN spent INTEGER NOT NULL DEFAULT 0;
-- JSON [{origin, digest, simhash, words}]: what each origin returns for a URL that cannot exist; NULL if none
-- was asked.
ALTER TABLE hosts ADD COLUMN missing TEXT;

-- What the rules about traps have learned about a crawl's URLs, as MessagePack.
CREATE TABLE trap_memories (
    crawl  INTEGER PRIMARY KEY,
    memory BLOB NOT NULL
) STRICT;

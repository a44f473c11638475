-- Steps that moved pages after a crawl (split, filter, dedupe), and what is needed to undo them.
CREATE TABLE organising_steps (
    id     INTEGER PRIMARY KEY,
    kind   TEXT NOT NULL,
    topic  TEXT,                   -- written path; NULL for all topics
    at     REAL NOT NULL,
    detail TEXT NOT NULL,          -- JSON
    hides  TEXT,                   -- the topic that it hides, if any
    pages  INTEGER NOT NULL,
    undone REAL                    -- when it was undone; NULL while it stands
) STRICT;

-- Both judgements of a moved page are in `judgements`, under these sequence numbers.
CREATE TABLE organising_moves (
    step     INTEGER NOT NULL,     -- organising_steps.id
    document INTEGER NOT NULL,     -- documents.id
    before   INTEGER NOT NULL,
    after    INTEGER NOT NULL,
    PRIMARY KEY (step, document)
) STRICT, WITHOUT ROWID;

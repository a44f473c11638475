-- What people decide: a row for everything they do in the portal, so that all of it can be looked up and undone.

-- Decisions about pages. The newest one of a page that is not undone and not `later` settles it: `feedback` has it.
CREATE TABLE decisions (
    id     INTEGER PRIMARY KEY,
    at     REAL NOT NULL,
    user   INTEGER,                      -- users.id
    page   INTEGER NOT NULL,             -- documents.id
    url    TEXT NOT NULL,
    kind   TEXT NOT NULL,                -- right, moved, irrelevant or later
    shown  TEXT,                         -- the topic it was shown under; NULL for a page that no topic took
    topic  TEXT,                         -- the topic it belongs to; NULL for none
    undone REAL                          -- when it was undone
) STRICT;
CREATE INDEX decisions_of_page ON decisions (page, id);

-- What the answers would teach, or did: estimated by a process of its own, then applied or not.
CREATE TABLE lessons (
    id     INTEGER PRIMARY KEY,
    at     REAL NOT NULL,
    user   INTEGER,
    state  TEXT NOT NULL,                -- wanted, ready, applied, undone or failed
    pid    INTEGER NOT NULL,             -- the process that works on it, 0 for none
    report TEXT NOT NULL                 -- JSON
) STRICT;

-- Everything else a person changes: topics, settings, accounts, what readers sent in.
CREATE TABLE deeds (
    id     INTEGER PRIMARY KEY,
    at     REAL NOT NULL,
    user   INTEGER,
    kind   TEXT NOT NULL,
    about  TEXT NOT NULL,                -- what was changed: a topic, a setting, an address
    before TEXT NOT NULL,
    after  TEXT NOT NULL,
    undone REAL
) STRICT;

-- Rejected pages, the nearest to a topic first. The condition is repeated word for word in doubts.py.
CREATE INDEX rejected_nearest ON documents (conf DESC, id)
    WHERE topic IS NULL AND conf IS NOT NULL AND gone IS NULL AND instr(coalesce(robots, ''), '"noindex"') = 0;

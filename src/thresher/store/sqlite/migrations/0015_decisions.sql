-- People's decisions: a row for everything they do in the portal, so that all of it can be looked up and undone.

-- Decisions about pages. The latest one of a page that is neither undone nor `later` counts; it is also in `feedback`.
CREATE TABLE decisions (
    id     INTEGER PRIMARY KEY,
    at     REAL NOT NULL,
    user   INTEGER,                      -- users.id
    page   INTEGER NOT NULL,             -- documents.id
    url    TEXT NOT NULL,
    kind   TEXT NOT NULL,                -- right, moved, irrelevant or later
    shown  TEXT,                         -- the topic it was shown under; NULL for a page that no topic accepted
    topic  TEXT,                         -- the topic it belongs to; NULL for none
    undone REAL                          -- when it was undone
) STRICT;
CREATE INDEX decisions_of_page ON decisions (page, id);

-- What answers teach or would teach: estimated by a separate process, then applied or not.
CREATE TABLE lessons (
    id     INTEGER PRIMARY KEY,
    at     REAL NOT NULL,
    user   INTEGER,
    state  TEXT NOT NULL,                -- wanted, ready, applied, undone or failed
    pid    INTEGER NOT NULL,             -- the process that works on it, 0 for none
    report TEXT NOT NULL                 -- JSON
) STRICT;

-- Everything else that people change: topics, settings, accounts, submissions from readers.
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

-- Rejected pages, nearest to a topic first. The condition is repeated word for word in doubts.py.
CREATE INDEX rejected_nearest ON documents (conf DESC, id)
    WHERE topic IS NULL AND conf IS NOT NULL AND gone IS NULL AND instr(coalesce(robots, ''), '"noindex"') = 0;

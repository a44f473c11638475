-- Work that people start from the web portal, when it is to be done, and what they have seen of it.

-- Commands that run as processes of their own.
CREATE TABLE work (
    id         INTEGER PRIMARY KEY,
    kind       TEXT NOT NULL,              -- train, run, harvest, …
    pages      INTEGER NOT NULL,           -- new pages to read at most, 0 for what the settings say
    hours      REAL NOT NULL,
    user       TEXT NOT NULL,              -- who started it; empty for a schedule
    schedule   INTEGER,                    -- schedules.id
    asked      REAL NOT NULL,
    pid        INTEGER NOT NULL DEFAULT 0, -- 0 until the process has begun
    host       TEXT NOT NULL DEFAULT '',
    born       REAL NOT NULL DEFAULT 0,    -- start time of the process as the system has it: pids are used again
    stopped_by TEXT,                       -- who told it to stop
    ended      REAL,
    code       INTEGER                     -- exit code; NULL where the process did not live to tell
) STRICT;
CREATE INDEX work_open ON work (id) WHERE ended IS NULL;

-- When work is to be started; times are local.
CREATE TABLE schedules (
    id      INTEGER PRIMARY KEY,
    kind    TEXT NOT NULL,
    days    INTEGER NOT NULL,              -- bit 0 is Monday, bit 6 Sunday
    minute  INTEGER NOT NULL,              -- of the day
    pages   INTEGER NOT NULL,              -- 0 for what the settings say
    hours   REAL NOT NULL,
    user    TEXT NOT NULL,
    made    REAL NOT NULL,
    fired   REAL NOT NULL,                 -- the newest time it was due that has been dealt with
    removed REAL                           -- when a person took it away
) STRICT;

-- When each person last looked at the report.
CREATE TABLE looks (
    user TEXT PRIMARY KEY,
    at   REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- Where each page stands in the picture of the crawl graph, so that it looks the same tomorrow.
CREATE TABLE places (
    document INTEGER PRIMARY KEY,
    x        REAL NOT NULL,
    y        REAL NOT NULL
) STRICT;

-- Tasks that people start from the web portal, schedules, and what people have seen of the report.

-- Commands that run as separate processes.
CREATE TABLE work (
    id         INTEGER PRIMARY KEY,
    kind       TEXT NOT NULL,              -- train, run, harvest, …
    pages      INTEGER NOT NULL,           -- maximum number of new pages, 0 for what the settings say
    hours      REAL NOT NULL,
    user       TEXT NOT NULL,              -- who started it; empty for a schedule
    schedule   INTEGER,                    -- schedules.id
    asked      REAL NOT NULL,
    pid        INTEGER NOT NULL DEFAULT 0, -- 0 until the process has begun
    host       TEXT NOT NULL DEFAULT '',
    born       REAL NOT NULL DEFAULT 0,    -- start time of the process according to the system, because pids are reused
    stopped_by TEXT,                       -- who told it to stop
    ended      REAL,
    code       INTEGER                     -- exit code; NULL if the process was killed
) STRICT;
CREATE INDEX work_open ON work (id) WHERE ended IS NULL;

-- When to start tasks; times are local.
CREATE TABLE schedules (
    id      INTEGER PRIMARY KEY,
    kind    TEXT NOT NULL,
    days    INTEGER NOT NULL,              -- bit 0 is Monday, bit 6 Sunday
    minute  INTEGER NOT NULL,              -- of the day
    pages   INTEGER NOT NULL,              -- 0 for what the settings say
    hours   REAL NOT NULL,
    user    TEXT NOT NULL,
    made    REAL NOT NULL,
    fired   REAL NOT NULL,                 -- the latest due time that has been dealt with
    removed REAL                           -- when a person removed it
) STRICT;

-- When each person last looked at the report.
CREATE TABLE looks (
    user TEXT PRIMARY KEY,
    at   REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- The position of each page in the picture of the crawl graph, so that it looks the same tomorrow.
CREATE TABLE places (
    document INTEGER PRIMARY KEY,
    x        REAL NOT NULL,
    y        REAL NOT NULL
) STRICT;

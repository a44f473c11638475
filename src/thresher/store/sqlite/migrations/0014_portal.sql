-- What the web portal needs: pages in the order they are browsed, accounts, and what readers send in.

-- When the portal first had the page; unchanged when the page is written again.
ALTER TABLE documents ADD COLUMN found REAL;
UPDATE documents SET found = coalesce(
    (SELECT min(at) FROM visits WHERE url_id = documents.id AND url = documents.url AND outcome = 'fetched'), at);

-- Only accepted pages are browsed, so only they pay for the indexes. The condition is repeated word for word in
-- catalogue.py: only then does SQLite use them.
CREATE INDEX accepted_newest ON documents (found DESC, id)
    WHERE topic IS NOT NULL AND conf IS NOT NULL AND gone IS NULL AND instr(coalesce(robots, ''), '"noindex"') = 0;
CREATE INDEX accepted_sites ON documents (topic, host, found)
    WHERE topic IS NOT NULL AND conf IS NOT NULL AND gone IS NULL AND instr(coalesce(robots, ''), '"noindex"') = 0;
CREATE INDEX accepted_of_host ON documents (host, conf DESC, id)
    WHERE topic IS NOT NULL AND conf IS NOT NULL AND gone IS NULL AND instr(coalesce(robots, ''), '"noindex"') = 0;

-- Accounts; `password` is an argon2 hash that includes its parameters.
CREATE TABLE users (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE COLLATE NOCASE,
    role     TEXT NOT NULL,              -- reader, reviewer or admin
    password TEXT NOT NULL,
    made     REAL NOT NULL
) STRICT;

-- Signed-in browsers. Only the digest of a token is kept, so that a copy of the database lets nobody in.
CREATE TABLE sessions (
    digest  BLOB PRIMARY KEY,
    user    INTEGER NOT NULL,            -- users.id
    made    REAL NOT NULL,
    expires REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_user ON sessions (user);

-- Readers' feedback on pages: right, wrong, or better in another topic.
CREATE TABLE opinions (
    id      INTEGER PRIMARY KEY,
    at      REAL NOT NULL,
    page    INTEGER NOT NULL,            -- documents.id
    url     TEXT NOT NULL,
    verdict TEXT NOT NULL,
    topic   TEXT,                        -- the topic it was shown under
    better  TEXT,                        -- the topic the reader would move it to
    note    TEXT NOT NULL,
    user    INTEGER,                     -- users.id; NULL for a reader who is not signed in
    state   TEXT NOT NULL DEFAULT 'open'
) STRICT;

-- Pages that readers propose.
CREATE TABLE proposals (
    id    INTEGER PRIMARY KEY,
    at    REAL NOT NULL,
    url   TEXT NOT NULL,
    topic TEXT,
    note  TEXT NOT NULL,
    user  INTEGER,
    state TEXT NOT NULL DEFAULT 'open'
) STRICT;

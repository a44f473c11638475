-- How people browsed to useful pages, and the keys with which browser extensions send such sessions.

CREATE TABLE browsing_sessions (
    id     INTEGER PRIMARY KEY,
    source TEXT NOT NULL,                -- firefox, chrome, file, extension or crawl
    label  TEXT NOT NULL,                -- which profile, file, account or crawl
    taken  REAL NOT NULL                 -- when the portal received it
) STRICT;

CREATE TABLE browsing_pages (
    session INTEGER NOT NULL,            -- browsing_sessions.id
    place   INTEGER NOT NULL,            -- from 0
    url     TEXT NOT NULL,
    title   TEXT NOT NULL,
    at      REAL,                        -- of the first visit; NULL if unknown
    useful  INTEGER NOT NULL,            -- 0 or 1
    terms   TEXT NOT NULL,               -- JSON: counts of stems, if the session included them
    PRIMARY KEY (session, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE browsing_links (
    session INTEGER NOT NULL,            -- browsing_sessions.id
    source  INTEGER NOT NULL,            -- browsing_pages.place
    target  INTEGER NOT NULL,
    PRIMARY KEY (session, source, target)
) STRICT, WITHOUT ROWID;

-- Only digests of the keys are kept.
CREATE TABLE browser_keys (
    id     INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    user   INTEGER NOT NULL,             -- users.id
    name   TEXT NOT NULL,                -- what the person calls the browser
    made   REAL NOT NULL,
    used   REAL                          -- when it was last used; NULL for never
) STRICT;

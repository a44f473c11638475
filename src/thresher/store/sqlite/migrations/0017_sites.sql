-- Whole websites: what a crawl for sites has read of each, and people's verdicts.

CREATE TABLE sites (
    crawl     INTEGER NOT NULL,
    site      TEXT NOT NULL,
    home      TEXT NOT NULL,
    topic     TEXT NOT NULL,       -- the most likely one, empty if nothing could be read
    posterior REAL NOT NULL,       -- probability of that topic
    pages     INTEGER NOT NULL,
    texts     INTEGER NOT NULL,    -- pages with text
    state     TEXT NOT NULL,
    ending    TEXT,                -- why the crawl stopped reading it, NULL while it is open
    found     INTEGER NOT NULL,    -- pages of the crawl when it was decided
    same_as   TEXT NOT NULL,
    PRIMARY KEY (crawl, site)
) STRICT, WITHOUT ROWID;

CREATE INDEX sites_best ON sites (crawl, state, topic, posterior);

CREATE TABLE site_pages (
    crawl       INTEGER NOT NULL,
    site        TEXT NOT NULL,
    number      INTEGER NOT NULL,  -- in the order of reading, from 1
    url         TEXT NOT NULL,
    confidences TEXT NOT NULL,     -- JSON [number], one for each class
    posterior   REAL NOT NULL,
    PRIMARY KEY (crawl, site, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE site_verdicts (
    site     TEXT PRIMARY KEY,
    topic    TEXT NOT NULL,
    accepted INTEGER NOT NULL,
    home     TEXT NOT NULL,
    at       REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- Saved searches and feedback, and the PageRank of a reader who prefers pages of the topics.

ALTER TABLE documents ADD COLUMN topic_pagerank REAL;

-- Searches under a name; `seq` is the latest change of the portal when the person last looked at the results.
CREATE TABLE saved_searches (
    name   TEXT PRIMARY KEY,
    query  TEXT NOT NULL,
    rank   TEXT NOT NULL,          -- the weights as typed, empty for the default
    at     REAL NOT NULL,          -- when it was saved
    looked REAL NOT NULL,          -- when the person last looked
    seq    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which results of a query a person found relevant, and the ranking weights fitted to that.
CREATE TABLE search_feedback (
    id         INTEGER PRIMARY KEY,
    profile    TEXT NOT NULL,
    query      TEXT NOT NULL,
    at         REAL NOT NULL,
    weights    TEXT NOT NULL,      -- JSON {part: weight}
    relevant   TEXT NOT NULL,      -- JSON [url]
    irrelevant TEXT NOT NULL       -- JSON [url]
) STRICT;

-- What the server processes of a portal share, what readers open, and earlier names of topics.

-- Pages in the order of their link scores. Only pages with a score are included, so crawls write nothing here.
CREATE INDEX accepted_cited ON documents (topic, authority DESC, id)
    WHERE topic IS NOT NULL AND conf IS NOT NULL AND gone IS NULL AND instr(coalesce(robots, ''), '"noindex"') = 0
        AND authority > 0;
CREATE INDEX accepted_link_lists ON documents (topic, hub DESC, id)
    WHERE topic IS NOT NULL AND conf IS NOT NULL AND gone IS NULL AND instr(coalesce(robots, ''), '"noindex"') = 0
        AND hub > 0;

-- Forms that were sent and passwords that were wrong, for a day; `name` is a digest of who tried.
CREATE TABLE tries (
    kind TEXT NOT NULL,
    name BLOB NOT NULL,
    at   REAL NOT NULL
) STRICT;
CREATE INDEX tries_by_name ON tries (kind, name, at);
CREATE INDEX tries_by_time ON tries (at);

-- Results that readers opened, if the portal is set to record them.
CREATE TABLE clicks (
    id      INTEGER PRIMARY KEY,
    at      REAL NOT NULL,
    query   TEXT NOT NULL,
    page    INTEGER NOT NULL,            -- documents.id
    place   INTEGER NOT NULL,            -- among the results, from 1
    seconds REAL,                        -- until the reader came back; NULL if unknown
    reader  TEXT NOT NULL                -- name of the account, empty for strangers
) STRICT;

-- Former paths of topics, and the colours of branches.
CREATE TABLE topic_moves (
    path  TEXT PRIMARY KEY,              -- the former path
    later TEXT NOT NULL,                 -- the current path
    at    REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE topic_colours (
    path   TEXT PRIMARY KEY,
    colour INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

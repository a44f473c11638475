-- The basic tables of a portal's repository.
--
-- URL ids are signed 64-bit hashes whose upper 16 bits come from the host name, so that tables keyed by them keep the
-- URLs of a host together. Two URLs may have the same id, so code that stores one also compares the URL.
-- Every change has a sequence number `seq`, taken from meta('seq') in its transaction.
-- Times are wall time in seconds since the epoch, durations are in seconds, sizes in bytes; JSON is stored as text.

-- Facts about the portal as a whole: 'seq' is the newest sequence number.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta (key, value) VALUES ('seq', 0);

-- ---------------------------------------------------------------------------------------------------------- crawls

-- One row per crawl: its instructions and its progress.
CREATE TABLE crawls (
    id       INTEGER PRIMARY KEY,
    seq      INTEGER NOT NULL,     -- when it started; nothing in its log is older
    kind     TEXT NOT NULL,
    strategy TEXT NOT NULL,
    settings TEXT NOT NULL,        -- JSON snapshot of the settings it started with
    models   TEXT,                 -- JSON: versions of the models it used
    budgets  TEXT,                 -- JSON: limits of pages, time and bytes
    started  REAL NOT NULL,
    updated  REAL NOT NULL,
    state    TEXT NOT NULL,        -- running, paused, stopped or finished
    progress TEXT NOT NULL         -- JSON: all counters
) STRICT;

-- The newest state of each crawl's strategy; resume restores it and replays the log after `seq`.
CREATE TABLE strategy_states (
    crawl INTEGER PRIMARY KEY,
    seq   INTEGER NOT NULL,
    state TEXT NOT NULL            -- JSON
) STRICT;

-- Names of queues; `urls` refers to their ids.
CREATE TABLE queues (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- The seen-set and the frontier: one row per crawl and URL. There is no index besides the key: waiting URLs are read
-- once, on resume, and a scan with a sort is cheaper than an index that every page would have to update.
CREATE TABLE urls (
    crawl      INTEGER NOT NULL,
    id         INTEGER NOT NULL,
    state      INTEGER NOT NULL,   -- 0 waiting, 1 done, 2 redirected, 3 failed, 4 refused, 5 cut
    ordinal    INTEGER NOT NULL,   -- increases with every URL offered
    queue      INTEGER NOT NULL,   -- queues.id
    priority   ANY NOT NULL,       -- REAL, or a blob of little-endian float64 if it does not have exactly one part
    depth      INTEGER NOT NULL,   -- hops from the seeds
    hops       INTEGER NOT NULL,   -- redirects that led here
    tries      INTEGER NOT NULL,
    not_before REAL NOT NULL,
    url        TEXT NOT NULL,
    host       TEXT,               -- NULL if it is the host name of `url`
    parent     INTEGER,            -- id of the page it was found on, if that URL has a row in this crawl
    parent_url TEXT,               -- the page it was found on, if it has no row
    anchor     TEXT NOT NULL,
    memo       TEXT,               -- JSON handed down by the parent, NULL if empty
    reason     TEXT,               -- why it failed or was refused
    PRIMARY KEY (crawl, id)
) STRICT, WITHOUT ROWID;

-- What each crawl knows about a host.
CREATE TABLE hosts (
    crawl    INTEGER NOT NULL,
    host     TEXT NOT NULL,
    fetched  INTEGER NOT NULL,
    accepted INTEGER NOT NULL,
    failures INTEGER NOT NULL,     -- in a row
    closed   TEXT,                 -- why the crawl gave up the host
    free_at  REAL NOT NULL,
    delay    REAL NOT NULL,
    PRIMARY KEY (crawl, host)
) STRICT, WITHOUT ROWID;

-- Robots files as received, per origin (scheme, host, port); status 0 means unreachable.
CREATE TABLE robots (
    origin  TEXT PRIMARY KEY,
    at      REAL NOT NULL,
    expires REAL NOT NULL,
    status  INTEGER NOT NULL,
    body    BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Every exchange with the web; together with `events`, this is the log of the crawls.
CREATE TABLE visits (
    seq            INTEGER PRIMARY KEY,
    crawl          INTEGER NOT NULL,
    url_id         INTEGER NOT NULL,
    url            TEXT NOT NULL,
    at             REAL NOT NULL,
    outcome        TEXT NOT NULL,  -- fetched, redirected or failed
    reason         TEXT,
    status         INTEGER,
    detail         TEXT NOT NULL,
    seconds        REAL NOT NULL,
    ip             TEXT NOT NULL,
    mime           TEXT NOT NULL,
    size           INTEGER NOT NULL,
    redirect       TEXT,           -- where a redirect led
    digest         BLOB NOT NULL,
    etag           TEXT NOT NULL,
    last_modified  TEXT NOT NULL,
    archive_file   TEXT NOT NULL,  -- the archive file and the offset of the record in it
    archive_offset INTEGER NOT NULL
) STRICT;
CREATE INDEX visits_of_url ON visits (url_id);

-- Events of a crawl as a whole: started, paused, cut a queue, adopted settings.
CREATE TABLE events (
    seq    INTEGER PRIMARY KEY,
    crawl  INTEGER NOT NULL,
    at     REAL NOT NULL,
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL           -- JSON
) STRICT;

-- Requests from other processes to the engine: pause, continue, stop, add a URL.
CREATE TABLE requests (
    id     INTEGER PRIMARY KEY,
    at     REAL NOT NULL,
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL,          -- JSON
    done   INTEGER                 -- seq of the batch that carried it out
) STRICT;
CREATE INDEX requests_open ON requests (id) WHERE done IS NULL;

-- Offers for hosts of another shard; written with the batch that found them, delivered afterwards.
CREATE TABLE outbox (
    id      INTEGER PRIMARY KEY,
    shard   INTEGER NOT NULL,
    payload BLOB NOT NULL
) STRICT;

-- URLs a crawl starts from, in the order they were given, with the topic they were given for.
CREATE TABLE start_urls (
    id    INTEGER PRIMARY KEY,
    url   TEXT NOT NULL UNIQUE,
    topic TEXT,
    at    REAL NOT NULL
) STRICT;

-- ------------------------------------------------------------------------------------------------------- documents

-- The pages of the portal: the latest good visit to each URL, with the results of link analysis and readers' opinions.
CREATE TABLE documents (
    id                INTEGER PRIMARY KEY,  -- id of the URL
    seq               INTEGER NOT NULL,     -- increases whenever the page is written again
    crawl             INTEGER NOT NULL,     -- the crawl that wrote it
    visit             INTEGER,              -- visits.seq
    url               TEXT NOT NULL,
    host              TEXT NOT NULL,
    ip                TEXT NOT NULL,
    port              INTEGER NOT NULL,
    mime              TEXT NOT NULL,
    encoding          TEXT NOT NULL,
    status            INTEGER NOT NULL,
    size              INTEGER NOT NULL,
    at                REAL NOT NULL,
    last_modified     TEXT NOT NULL,
    expires           TEXT NOT NULL,
    depth             INTEGER NOT NULL,
    origin            TEXT,                 -- the URL it was found on
    language          TEXT NOT NULL,
    digest            BLOB NOT NULL,        -- of the extracted text
    topic             TEXT,                 -- of the latest judgement; NULL if every topic was rejected
    conf              REAL,                 -- of the latest judgement; NULL if there is none
    hub               REAL,
    authority         REAL,
    pagerank          REAL,
    clicks            INTEGER NOT NULL DEFAULT 0,
    positive_opinions INTEGER NOT NULL DEFAULT 0,
    negative_opinions INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX documents_by_change ON documents (seq);

-- What readers see of a page. The bytes as received are in the archive files that `visits` refers to.
CREATE TABLE archive (
    document INTEGER PRIMARY KEY,
    title    TEXT NOT NULL,
    preview  TEXT,
    body     BLOB NOT NULL                  -- the text, UTF-8 compressed with zlib
) STRICT;

-- The stems of a page with their counts, as one compact text per page; the view `document_features` expands it.
CREATE TABLE document_terms (
    document INTEGER PRIMARY KEY,
    length   INTEGER NOT NULL,              -- sum of the counts
    terms    TEXT NOT NULL                  -- JSON {stem: count}
) STRICT;

CREATE VIEW document_features (document, stem, tf, rtf) AS
    SELECT d.document, t.key, t.value, CAST(t.value AS REAL) / d.length
    FROM document_terms AS d, json_each(d.terms) AS t;

-- The number of pages in which each stem occurs; reads the whole portal.
CREATE VIEW stem_frequencies (stem, df, idf) AS
    SELECT stem, count(*), ln(CAST((SELECT count(*) FROM document_terms) AS REAL) / count(*))
    FROM document_features GROUP BY stem;

CREATE VIEW document_weights (document, stem, tf, rtf, tf_idf) AS
    SELECT f.document, f.stem, f.tf, f.rtf, f.tf * s.idf
    FROM document_features AS f JOIN stem_frequencies AS s ON s.stem = f.stem;

-- The links of the stored pages, in the order of each page. The text of a target's URL is in its row of `urls` under
-- the crawl of the page; `target_url` is set only if there is no such row (a link that was never offered).
CREATE TABLE links (
    source     INTEGER NOT NULL,
    position   INTEGER NOT NULL,
    target     INTEGER NOT NULL,
    target_url TEXT,
    anchor     TEXT NOT NULL,
    rel        TEXT NOT NULL,
    PRIMARY KEY (source, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_to ON links (target);

-- Every judgement ever made of a page; the latest has the highest seq.
CREATE TABLE judgements (
    document    INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    topic       TEXT,
    confidence  REAL,                       -- NULL means not a number
    probability REAL,                       -- NULL means not a number
    path        TEXT NOT NULL,              -- JSON [topic]
    evidence    TEXT NOT NULL,              -- JSON [[word, weight]]
    model       TEXT NOT NULL,
    PRIMARY KEY (document, seq)
) STRICT, WITHOUT ROWID;

-- Pages that repeat another one: 'digest' for identical texts, 'near' for similar ones.
CREATE TABLE duplicates (
    document   INTEGER PRIMARY KEY,
    original   INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    similarity REAL NOT NULL
) STRICT;

-- ---------------------------------------------------------------------------------------------- topics and learning

-- The topic tree; `path` leads from the root, parts joined by '/'.
CREATE TABLE topics (
    id       INTEGER PRIMARY KEY,
    parent   INTEGER,
    name     TEXT NOT NULL,
    path     TEXT NOT NULL UNIQUE,
    position INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The feature space of each topic, and people's decisions about single stems.
CREATE TABLE topic_features (
    topic     INTEGER NOT NULL,
    stem      TEXT NOT NULL,
    mi        REAL,                         -- mutual information
    ig        REAL,                         -- information gain
    df        INTEGER,
    idf       REAL,
    indicator INTEGER NOT NULL DEFAULT 0,   -- 1 if a document of the topic should have it
    verdict   INTEGER NOT NULL DEFAULT 0,   -- 1 if kept, -1 if dropped by a person
    PRIMARY KEY (topic, stem)
) STRICT, WITHOUT ROWID;

-- Trained classifiers; the model itself is a file, which is complete before its row is written.
CREATE TABLE classifiers (
    id    INTEGER PRIMARY KEY,
    topic INTEGER,
    at    REAL NOT NULL,
    step  INTEGER NOT NULL,                 -- how often the topic was trained before
    type  TEXT NOT NULL,
    model TEXT NOT NULL                     -- name of the file
) STRICT;

-- The topics that people gave to pages; earlier decisions are in `decisions`.
CREATE TABLE feedback (
    document  INTEGER PRIMARY KEY,
    iteration INTEGER NOT NULL,
    old_topic TEXT,
    new_topic TEXT,
    at        REAL NOT NULL
) STRICT;

-- -------------------------------------------------------------------------------------------------- a person's choices

-- Types of documents that the portal accepts, each with its maximum size.
CREATE TABLE mime_types (
    mime     TEXT PRIMARY KEY,
    accepted INTEGER NOT NULL DEFAULT 1,
    max_size INTEGER
) STRICT, WITHOUT ROWID;

-- Choices made in the portal.
CREATE TABLE preferences (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL                     -- JSON
) STRICT, WITHOUT ROWID;

-- Stop words added to (1) or removed from (0) a language's own list.
CREATE TABLE stop_words (
    language TEXT NOT NULL,
    word     TEXT NOT NULL,
    stopped  INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (language, word)
) STRICT, WITHOUT ROWID;

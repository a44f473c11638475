-- The ground of a portal's repository (spec: repository).
--
-- Ids of URLs are signed 64-bit numbers whose upper 16 bits come from the host name, so that in every table keyed by
-- them the URLs of one host lie together. They are no keys by nature: whoever stores one compares the URL.
-- Every change of the portal carries a sequence number `seq`, drawn from meta('seq') inside its transaction.
-- Times are wall time in seconds since the epoch; durations are seconds; sizes are bytes; JSON is kept as text.

-- Facts about the portal as a whole: 'seq' is the newest sequence number.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta (key, value) VALUES ('seq', 0);

-- ---------------------------------------------------------------------------------------------------------- crawls

-- One row per crawl: what it was told to do and how far it has come.
CREATE TABLE crawls (
    id       INTEGER PRIMARY KEY,
    seq      INTEGER NOT NULL,     -- number of its start: nothing in its log is older
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

-- Names of queues; `urls` holds their numbers.
CREATE TABLE queues (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- The seen-set and the frontier: one row per crawl and URL. There is no index beside the key: what waits is read once,
-- at resume, and a scan with a sort is faster there than going through an index that every page would have to keep up.
CREATE TABLE urls (
    crawl      INTEGER NOT NULL,
    id         INTEGER NOT NULL,
    state      INTEGER NOT NULL,   -- 0 waiting, 1 done, 2 redirected, 3 failed, 4 refused, 5 cut
    ordinal    INTEGER NOT NULL,   -- rises with every URL offered
    queue      INTEGER NOT NULL,   -- queues.id
    priority   ANY NOT NULL,       -- REAL, or a blob of little-endian float64 where it has not exactly one part
    depth      INTEGER NOT NULL,   -- hops from the seeds
    hops       INTEGER NOT NULL,   -- redirects that led here
    tries      INTEGER NOT NULL,
    not_before REAL NOT NULL,
    url        TEXT NOT NULL,
    host       TEXT,               -- NULL where it is the host name of `url`
    parent     INTEGER,            -- id of the page it was found on, where that URL has a row in this crawl
    parent_url TEXT,               -- the page it was found on, where it has none
    anchor     TEXT NOT NULL,
    memo       TEXT,               -- JSON handed down by the parent, NULL where empty
    reason     TEXT,               -- why it failed or was refused
    PRIMARY KEY (crawl, id)
) STRICT, WITHOUT ROWID;

-- What each crawl knows of a host.
CREATE TABLE hosts (
    crawl    INTEGER NOT NULL,
    host     TEXT NOT NULL,
    fetched  INTEGER NOT NULL,
    accepted INTEGER NOT NULL,
    failures INTEGER NOT NULL,     -- in a row
    closed   TEXT,                 -- why the crawl gave the host up
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

-- Every exchange with the web; together with `events` the log of the crawls.
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
    archive_file   TEXT NOT NULL,  -- the archive file and the byte its record starts at
    archive_offset INTEGER NOT NULL
) STRICT;
CREATE INDEX visits_of_url ON visits (url_id);

-- What happened to a crawl as a whole: started, paused, cut a queue, adopted settings.
CREATE TABLE events (
    seq    INTEGER PRIMARY KEY,
    crawl  INTEGER NOT NULL,
    at     REAL NOT NULL,
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL           -- JSON
) STRICT;

-- Wishes other processes leave for the engine: pause, continue, stop, add a URL.
CREATE TABLE requests (
    id     INTEGER PRIMARY KEY,
    at     REAL NOT NULL,
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL,          -- JSON
    done   INTEGER                 -- seq of the batch that carried it out
) STRICT;
CREATE INDEX requests_open ON requests (id) WHERE done IS NULL;

-- Offers to hosts that another shard looks after; written with the batch that found them, delivered afterwards.
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

-- The pages of the portal: the newest good visit of each URL, and what link analysis and readers say of it.
CREATE TABLE documents (
    id                INTEGER PRIMARY KEY,  -- id of the URL
    seq               INTEGER NOT NULL,     -- rises whenever the page is written anew
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
    topic             TEXT,                 -- of the newest judgement; NULL where every topic was rejected
    conf              REAL,                 -- of the newest judgement; NULL where there is none
    hub               REAL,
    authority         REAL,
    pagerank          REAL,
    clicks            INTEGER NOT NULL DEFAULT 0,
    positive_opinions INTEGER NOT NULL DEFAULT 0,
    negative_opinions INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX documents_by_change ON documents (seq);

-- What a reader sees of a page. The bytes as received lie in the archive files that `visits` points to.
CREATE TABLE archive (
    document INTEGER PRIMARY KEY,
    title    TEXT NOT NULL,
    preview  TEXT,
    body     BLOB NOT NULL                  -- the text, UTF-8 packed with zlib
) STRICT;

-- The stems of a page with their counts, as one compact text per page; `document_features` unfolds it.
CREATE TABLE document_terms (
    document INTEGER PRIMARY KEY,
    length   INTEGER NOT NULL,              -- sum of the counts
    terms    TEXT NOT NULL                  -- JSON {stem: count}
) STRICT;

CREATE VIEW document_features (document, stem, tf, rtf) AS
    SELECT d.document, t.key, t.value, CAST(t.value AS REAL) / d.length
    FROM document_terms AS d, json_each(d.terms) AS t;

-- In how many pages each stem occurs; reads the whole portal.
CREATE VIEW stem_frequencies (stem, df, idf) AS
    SELECT stem, count(*), ln(CAST((SELECT count(*) FROM document_terms) AS REAL) / count(*))
    FROM document_features GROUP BY stem;

CREATE VIEW document_weights (document, stem, tf, rtf, tf_idf) AS
    SELECT f.document, f.stem, f.tf, f.rtf, f.tf * s.idf
    FROM document_features AS f JOIN stem_frequencies AS s ON s.stem = f.stem;

-- The links of the stored pages, in the order of each page. The text of a target's URL is in its row of `urls` under
-- the crawl of the page; `target_url` holds it only where there is no such row (a link that was never offered).
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

-- Every judgement ever made of a page, newest with the highest seq.
CREATE TABLE judgements (
    document    INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    topic       TEXT,
    confidence  REAL,                       -- NULL stands for not-a-number
    probability REAL,                       -- NULL stands for not-a-number
    path        TEXT NOT NULL,              -- JSON [topic]
    evidence    TEXT NOT NULL,              -- JSON [[word, weight]]
    model       TEXT NOT NULL,
    PRIMARY KEY (document, seq)
) STRICT, WITHOUT ROWID;

-- Pages that say the same as another one: 'digest' for equal texts, 'near' for alike ones.
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

-- The feature space of each topic, and what people decided about single stems.
CREATE TABLE topic_features (
    topic     INTEGER NOT NULL,
    stem      TEXT NOT NULL,
    mi        REAL,                         -- mutual information
    ig        REAL,                         -- information gain
    df        INTEGER,
    idf       REAL,
    indicator INTEGER NOT NULL DEFAULT 0,   -- 1 where a document of the topic should have it
    verdict   INTEGER NOT NULL DEFAULT 0,   -- 1 kept, -1 dropped by a person
    PRIMARY KEY (topic, stem)
) STRICT, WITHOUT ROWID;

-- Trained classifiers; the model itself is a file that is complete before its row is written.
CREATE TABLE classifiers (
    id    INTEGER PRIMARY KEY,
    topic INTEGER,
    at    REAL NOT NULL,
    step  INTEGER NOT NULL,                 -- how often the topic was trained before
    type  TEXT NOT NULL,
    model TEXT NOT NULL                     -- name of the file
) STRICT;

-- Pages a person moved to another topic, in the present round of feedback ...
CREATE TABLE feedback (
    document  INTEGER PRIMARY KEY,
    iteration INTEGER NOT NULL,
    old_topic TEXT,
    new_topic TEXT,
    at        REAL NOT NULL
) STRICT;

-- ... and in all rounds before.
CREATE TABLE feedback_archive (
    document  INTEGER NOT NULL,
    iteration INTEGER NOT NULL,
    old_topic TEXT,
    new_topic TEXT,
    at        REAL NOT NULL,
    PRIMARY KEY (document, iteration)
) STRICT, WITHOUT ROWID;

-- -------------------------------------------------------------------------------------------------- a person's choices

-- Types of documents the portal accepts, each with its largest size.
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

-- Stop words added to (1) or taken from (0) a language's own list.
CREATE TABLE stop_words (
    language TEXT NOT NULL,
    word     TEXT NOT NULL,
    stopped  INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (language, word)
) STRICT, WITHOUT ROWID;

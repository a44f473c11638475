-- Other portals: who they are, the models they sent, and how good those are.

CREATE TABLE peers (
    key     TEXT PRIMARY KEY,            -- public key, 64 hexadecimal digits
    name    TEXT NOT NULL,
    address TEXT NOT NULL,               -- URL of its server; empty if it is not known
    state   TEXT NOT NULL,               -- allowed, asked or blocked
    since   REAL NOT NULL,               -- when it entered this state
    seen    REAL NOT NULL DEFAULT 0      -- when it last sent a valid message; 0 for never
) STRICT, WITHOUT ROWID;

CREATE TABLE peer_neighbours (
    key       TEXT PRIMARY KEY,
    address   TEXT NOT NULL,
    at        REAL NOT NULL,             -- when the peer itself last confirmed this address
    signature TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE peer_models (
    peer     TEXT NOT NULL,
    topic    TEXT NOT NULL,              -- the peer's name for it
    version  TEXT NOT NULL,              -- digest of the model
    own      TEXT,                       -- our topic that it matches; NULL for none
    at       REAL NOT NULL,
    accuracy REAL,                       -- on our own pages; NULL if it could not be measured
    low      REAL,
    pages    INTEGER NOT NULL,           -- number of our pages it was measured on
    centre   REAL NOT NULL,
    unit     REAL NOT NULL,
    used     INTEGER NOT NULL,           -- 1 while it has a vote
    model    BLOB NOT NULL,              -- JSON
    PRIMARY KEY (peer, topic)
) STRICT, WITHOUT ROWID;

CREATE TABLE peer_measures (
    measurer TEXT NOT NULL,              -- public key of the peer that measured; ours if we did
    peer     TEXT NOT NULL,              -- whose model it is
    topic    TEXT NOT NULL,
    version  TEXT NOT NULL,
    accuracy REAL NOT NULL,
    pages    INTEGER NOT NULL,
    at       REAL NOT NULL,
    PRIMARY KEY (measurer, peer, topic)
) STRICT, WITHOUT ROWID;

-- Recently received messages, so that none is valid twice.
CREATE TABLE peer_nonces (
    sender TEXT NOT NULL,
    nonce  TEXT NOT NULL,
    at     REAL NOT NULL,
    PRIMARY KEY (sender, nonce)
) STRICT, WITHOUT ROWID;
CREATE INDEX peer_nonces_by_time ON peer_nonces (at);

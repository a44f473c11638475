-- Duplicates are found by the digest of the text and, nearly, by its simhash (docs/LANGUAGES.md).

ALTER TABLE documents ADD COLUMN simhash INTEGER NOT NULL DEFAULT 0;  -- as a signed number; 0 if there is none
CREATE INDEX documents_by_digest ON documents (digest) WHERE digest <> x'';

-- Each simhash by its four blocks of 16 bits: two that differ in at most three bits agree in at least one block. A block
-- is stored as its number times 65536 plus its bits.
CREATE TABLE simhash_blocks (
    block    INTEGER NOT NULL,
    document INTEGER NOT NULL,
    simhash  INTEGER NOT NULL,
    PRIMARY KEY (block, document)
) STRICT, WITHOUT ROWID;

-- Pages that repeat another one: 'digest' for identical texts (not stored as documents), 'near' for similar
-- ones, 'canonical' if the page itself names another address of its domain.
DROP TABLE duplicates;
CREATE TABLE duplicates (
    document     INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    url          TEXT NOT NULL,
    original     INTEGER NOT NULL,
    original_url TEXT NOT NULL,
    distance     INTEGER NOT NULL,  -- bits in which the simhashes differ
    similarity   REAL NOT NULL,     -- share of stems in common
    PRIMARY KEY (document, kind)
) STRICT, WITHOUT ROWID;

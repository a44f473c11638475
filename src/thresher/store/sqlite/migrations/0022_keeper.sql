-- Tasks with arguments, and keys for feed readers.

ALTER TABLE work ADD COLUMN arguments TEXT NOT NULL DEFAULT '[]'; -- JSON [text], additional arguments of its command

-- Feed readers cannot sign in, so the address they request contains a key. Only its digest is stored.
CREATE TABLE feed_keys (
    user   INTEGER PRIMARY KEY,          -- users.id; a new key replaces the old one
    digest BLOB NOT NULL UNIQUE,
    made   REAL NOT NULL
) STRICT;

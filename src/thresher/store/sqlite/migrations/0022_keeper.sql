-- Work with arguments of its own, and keys by which feed readers get the feeds of an account.

ALTER TABLE work ADD COLUMN arguments TEXT NOT NULL DEFAULT '[]'; -- JSON [text], what its command is given beside

-- Programs that read feeds cannot sign in: the address they ask for holds a key. Only its digest is kept.
CREATE TABLE feed_keys (
    user   INTEGER PRIMARY KEY,          -- users.id; a new key takes the place of the old one
    digest BLOB NOT NULL UNIQUE,
    made   REAL NOT NULL
) STRICT;

-- What files say of themselves, and the archives that members came in.

-- JSON {author, created, modified}; NULL where the file says nothing.
ALTER TABLE documents ADD COLUMN about TEXT;
-- The URL of the archive a page is a member of; NULL for all that has an address of its own.
ALTER TABLE documents ADD COLUMN archive TEXT;
CREATE INDEX documents_in_archive ON documents (archive) WHERE archive IS NOT NULL;

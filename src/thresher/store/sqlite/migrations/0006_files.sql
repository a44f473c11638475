-- Metadata of files, and the archives that members came in.

-- JSON {author, created, modified}; NULL if the file has none.
ALTER TABLE documents ADD COLUMN about TEXT;
-- The URL of the archive a page is a member of; NULL for pages with an address of their own.
ALTER TABLE documents ADD COLUMN archive TEXT;
CREATE INDEX documents_in_archive ON documents (archive) WHERE archive IS NOT NULL;

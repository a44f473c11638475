-- Known pages are checked again: what is known of the copy at hand, and which pages are gone. Lists of addresses.

-- JSON {etag, last_modified, digest, at} of the copy at hand; NULL where the portal does not have the page.
ALTER TABLE urls ADD COLUMN copy TEXT;

-- 0 for a page; for a sitemap or feed, how many levels of lists there may be, itself included.
ALTER TABLE urls ADD COLUMN lists INTEGER NOT NULL DEFAULT 0;

-- When the page was first found to be there no more; NULL while it is.
ALTER TABLE documents ADD COLUMN gone REAL;

-- Known pages are checked again: the stored copy, and which pages are gone. Sitemaps and feeds.

-- JSON {etag, last_modified, digest, at} of the stored copy; NULL if the portal does not have the page.
ALTER TABLE urls ADD COLUMN copy TEXT;

-- 0 for a page; for a sitemap or feed, how many levels of lists are allowed, including itself.
ALTER TABLE urls ADD COLUMN lists INTEGER NOT NULL DEFAULT 0;

-- When the page was first found to be gone; NULL while it exists.
ALTER TABLE documents ADD COLUMN gone REAL;

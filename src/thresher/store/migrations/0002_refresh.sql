-- Known pages are checked again: what is known of the copy at hand, and which pages are gone.

-- JSON {etag, last_modified, digest, at} of the copy at hand; NULL where the portal does not have the page.
ALTER TABLE urls ADD COLUMN copy TEXT;

-- When the page was first found to be there no more; NULL while it is.
ALTER TABLE documents ADD COLUMN gone REAL;

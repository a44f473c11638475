-- Requests from other processes get a reply; tables that were never written to are dropped.

-- JSON {result, reason}; NULL while the request is open.
ALTER TABLE requests ADD COLUMN reply TEXT;
UPDATE requests SET reply = '{"result":"done"}' WHERE done IS NOT NULL;

DROP TABLE topics;
DROP TABLE topic_features;
DROP TABLE mime_types;
DROP TABLE preferences;
DROP TABLE stop_words;

"""The archive of a portal: what the web answered, as WARC 1.1 with CDXJ indexes, and archives replayed as a web."""

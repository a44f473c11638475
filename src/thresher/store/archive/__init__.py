"""The archive of a portal: responses as WARC 1.1 with CDXJ indexes, and replaying archives as a web."""

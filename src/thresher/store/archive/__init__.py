"""The archive of a portal: responses as WARC 1.1 with CDXJ indexes, and replay of archives as a web."""

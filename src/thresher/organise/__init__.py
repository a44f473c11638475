"""After the crawl: topics are split and filtered, duplicates put out of sight; every step can be undone."""

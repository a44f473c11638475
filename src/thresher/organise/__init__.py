"""Organising after the crawl: split and filter topics, hide duplicates; every step can be undone."""

"""Organising after the crawl: splits and filters topics, hides duplicates; every step can be undone."""

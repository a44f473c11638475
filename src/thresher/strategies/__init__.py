"""Crawling strategies, one idea per file."""

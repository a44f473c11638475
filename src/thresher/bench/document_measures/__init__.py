"""Measures of reading documents that are no HTML, one file each."""

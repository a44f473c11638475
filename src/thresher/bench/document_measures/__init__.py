"""Measures of reading documents other than HTML, one per file."""

"""Measures the speed and quality of search."""

"""Experiments and speed measurements."""

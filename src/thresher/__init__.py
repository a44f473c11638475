"""Thresher: a focused crawler and portal builder."""

__version__ = "0.1.0"

"""Measures how well `ask` finds known items."""

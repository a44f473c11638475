"""Searching what a portal has stored."""

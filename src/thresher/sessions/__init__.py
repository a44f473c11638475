"""Browsing sessions: which pages a person visited, how they link to one another, and which of them were useful."""

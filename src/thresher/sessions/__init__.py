"""Browsing sessions: which pages a person visited, how they link to each other, and which of them were useful."""

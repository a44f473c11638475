"""The embedded repository: one SQLite database per portal, in plain SQL."""

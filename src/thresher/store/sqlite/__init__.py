"""The embedded repository: one SQLite database per portal, spoken to in SQL."""

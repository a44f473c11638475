"""The repository: records, tables, SQLite and memory implementations."""

"""The repository: its records, tables and implementations, and helpers that read it."""

"""The repository: its records, tables and implementations, and what reads it on behalf of others."""

"""The repository: its records and tables, its implementations, and what reads it on behalf of others."""

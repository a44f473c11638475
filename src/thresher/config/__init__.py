"""Settings: one typed model, packaged defaults."""

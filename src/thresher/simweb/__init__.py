"""The generated web: planned from a seed, rendered on request, served in memory or over HTTP."""

"""Learning from arrays and labels; no URLs, no pages."""

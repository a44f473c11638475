"""Graph edges and scores; no URLs, no pages."""

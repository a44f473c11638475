"""Phases of a crawl: learning, archetypes, retraining, harvesting."""

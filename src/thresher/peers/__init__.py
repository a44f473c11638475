"""Portals that help each other: they exchange models of their topics, and never pages."""

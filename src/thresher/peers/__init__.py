"""Portals that help each other by exchanging topic models, never pages."""

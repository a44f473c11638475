"""Edges and scores of graphs; knows no URL and no page."""

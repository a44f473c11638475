"""Measures how much portals help each other, on labelled texts and in an overlay network."""

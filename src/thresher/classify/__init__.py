"""Page classifiers."""

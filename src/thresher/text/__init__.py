"""Words and stems; knows no URL and no page."""

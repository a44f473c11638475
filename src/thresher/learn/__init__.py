"""Learning from arrays and labels; knows no URL and no page."""

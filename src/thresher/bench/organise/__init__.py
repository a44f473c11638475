"""Measures how well topics are split and filtered, on labelled texts."""

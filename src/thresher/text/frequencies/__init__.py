"""Word frequency lists, one file per language, and how they were derived."""

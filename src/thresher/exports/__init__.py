"""Lists of pages in the formats that other programs read."""

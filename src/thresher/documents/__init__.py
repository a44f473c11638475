"""From bytes to a page: decoding, reading, analysis."""

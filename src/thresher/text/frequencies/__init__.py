"""Lists of word frequencies, one file a language, and how they were derived."""

"""Files of the generated web: PDF, Word and ZIP, written as plainly as their standards allow and always the same."""

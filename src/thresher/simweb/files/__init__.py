"""Files of the generated web: PDF, Word and ZIP, as simple as their standards allow, and deterministic."""

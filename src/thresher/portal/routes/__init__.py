"""The pages of the web portal, one subject per file."""

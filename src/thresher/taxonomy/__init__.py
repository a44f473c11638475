"""The topics of a portal: a tree of names with training pages, and the file formats for it."""

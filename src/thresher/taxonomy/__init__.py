"""The topics of a portal: a tree of names with training pages, and the files it is read from and written to."""

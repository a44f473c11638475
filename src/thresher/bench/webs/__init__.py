"""The webs of the bench, one file each."""

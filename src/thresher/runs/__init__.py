"""Runs of crawls, from the lock on the portal to the last commit."""

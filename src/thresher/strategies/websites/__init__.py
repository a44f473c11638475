"""Crawls for whole websites: which sites come next, which of their pages, and when a site is decided."""

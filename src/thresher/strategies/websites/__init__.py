"""Crawls for whole websites: which site and which page comes next, and when a site is decided."""

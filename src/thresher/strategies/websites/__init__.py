"""Crawling for whole websites: which sites come next, which of their pages, and when enough is known of one."""

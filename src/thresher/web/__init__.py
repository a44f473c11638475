"""Fetching and politeness: URLs, address guard, robots.txt, HTTP."""

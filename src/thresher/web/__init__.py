"""Fetching and manners: URLs, address guard, robots, HTTP."""

"""Measures whether the product keeps its promise: whole runs from bookmarks, on webs of many hosts, with manners."""

"""Does the product keep its promise? Bookmarks in, the whole run, on webs of many hosts with their manners."""

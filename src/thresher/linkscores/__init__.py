"""Scores pages by the links of a portal."""

"""Measures how well whole websites are found, by several methods on webs with labelled sites."""

"""Classifiers of pages."""

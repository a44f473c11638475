"""Tests of the bench of the promise."""

"""Readers of files that are no HTML: each turns untrusted bytes into text, links and what the file says of itself.

They run in a process of their own (`documents/sandbox.py`) and still bound what they unpack, count and nest.
"""

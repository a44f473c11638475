"""Readers of files other than HTML: each turns untrusted bytes into text, links and metadata.

They run in a separate process (`documents/sandbox.py`) but still limit what they unpack, count and nest.
"""

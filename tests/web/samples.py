"""The first bytes of documents of several kinds."""

PDF = b"%PDF-1.7\n\xe2\xe3\xcf\xd3\n"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
ZIP = b"PK\x03\x04\x14\0\0\0"
HTML = b"<!doctype html><html><head><title>Boats</title>"
XHTML = (
    b'<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">\n<html xmlns="x">'
)
TEXT = b"Boats float because they push water away.\n"
TAR = b"boats.txt".ljust(257, b"\0") + b"ustar\x0000"

"""Packed bytes for tests, the same in every run and in every worker."""

import gzip


def packed_gzip(data: bytes, level: int = 9) -> bytes:
    """Pack as gzip without the time of day."""
    return gzip.compress(data, level, mtime=0)

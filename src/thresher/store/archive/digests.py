"""Digests of records: SHA-1 in base 32, as in all web-archive tools."""

import base64
import hashlib


def label_of(*parts: bytes) -> str:
    """Return the labelled digest of some bytes, given in one or more parts.

    >>> label_of(b"")
    'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'
    """
    digest = hashlib.sha1(usedforsecurity=False)
    for part in parts:
        digest.update(part)
    return "sha1:" + base64.b32encode(digest.digest()).decode()


def agrees(label: str, data: bytes) -> bool:
    """Return whether bytes match the digest in a label; a label of another kind matches everything.

    >>> agrees("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", b""), agrees("md5:0", b"")
    (True, True)
    """
    kind, _, value = label.partition(":")
    if kind.strip().lower() not in ("sha1", "sha-1"):
        return True
    digest = hashlib.sha1(data, usedforsecurity=False)
    return value.strip().upper() in (base64.b32encode(digest.digest()).decode(), digest.hexdigest().upper())

"""From bytes to a page: decoding, reading, analysis."""

from typing import TypeAlias

from thresher.documents.encodings import decode
from thresher.types import Failed, Fetched, ParsedPage

__all__ = ["Document", "decode", "read"]

Document: TypeAlias = ParsedPage
"""A document that was read."""


def read(body: bytes, mime: str, url: str) -> Document:
    """Read a document; `mime` may be a whole Content-Type with its charset.

    Never raises: an unreadable document has no words, no links and no encoding.

    >>> read(b"<title>Boats</title><p>They float.", "text/html; charset=utf-8", "http://a.test/").words
    ['They', 'float']
    """
    # The process that reads files imports this package and does not need stems or languages.
    from thresher.documents.analyse import Reader

    essence = mime.partition(";")[0].strip().lower()
    headers = [("Content-Type", mime)]
    fetched = Fetched(url=url, status=200, headers=headers, body=body, raw=body, mime=essence, at=0.0)
    page = Reader().read(fetched)
    return ParsedPage(url=url, title="", words=[], links=[]) if isinstance(page, Failed) else page

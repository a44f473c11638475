"""A cache of parsed pages on disk, since reading a page gives the same result in every run.

The file lies in the user's cache folder under a digest of what reading depends on: the settings and the code.
"""

from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from thresher.analysers import AnalysisRecipe, reader_of
from thresher.bench.code_digest import code_digest
from thresher.bench.data import cache_folder
from thresher.classify.acceptance import Wishes
from thresher.documents.analyse import HTML
from thresher.reading.analysis import Opens, PageReader
from thresher.store.blob_cache import BlobCache
from thresher.store.repository import open_cache
from thresher.types import Failed, Fetched, Link, Opened, ParsedPage

CODE: Final = (
    *("documents", "text", "types.py", "bench/promise/kept_reading.py"),
    *("web/urls.py", "web/optout.py", "web/robots_tag.py", "web/sitemaps.py", "web/sniff.py"),
)
"""The code on which a parsed page depends."""

_LINKS: Final = b"links"
"""Appended to the key of a page for the key of its links."""

_pages = msgspec.msgpack.Decoder(ParsedPage)
_links = msgspec.msgpack.Decoder(list[Link])


class KeptReader:
    """Reads HTML pages through another reader and caches the result; other types are passed on."""

    def __init__(self, reader: PageReader, path: Path) -> None:
        self._reader = reader
        self._cache = _opened(path)

    def read(self, fetched: Fetched) -> ParsedPage | Failed:
        """Return the page, or why it cannot be read."""
        found = self.open(fetched)
        assert not isinstance(found, Opened)
        return found

    def open(self, fetched: Fetched) -> ParsedPage | Failed | Opened:
        """Return the page, the pages of an archive, or why it cannot be read."""
        if fetched.mime not in HTML:
            return self._reader.open(fetched) if isinstance(self._reader, Opens) else self._reader.read(fetched)
        key = _key(fetched)
        page_blob, links_blob = self._cache.get(key), self._cache.get(key + _LINKS)
        if page_blob is not None and links_blob is not None:
            return replace(_pages.decode(page_blob), links=_links.decode(links_blob))
        page = self._reader.read(fetched)
        if isinstance(page, ParsedPage):
            pack = msgspec.msgpack.encode
            self._cache.put({key: pack(replace(page, links=[])), key + _LINKS: pack(page.links)})
        return page

    def text(self, fetched: Fetched) -> ParsedPage | None:
        """Return the page without its links, which is much faster; None if it cannot be read."""
        blob = self._cache.get(_key(fetched))
        if blob is not None:
            return _pages.decode(blob)
        page = self.read(fetched)
        return page if isinstance(page, ParsedPage) else None


def kept_reader(recipe: AnalysisRecipe, wishes: Wishes | None = None) -> KeptReader:
    """Return a reader for a recipe that caches pages in the user's cache folder."""
    reading = replace(recipe, strategy="", strategies={}, model="", preview=0)
    asked = sorted((name, list(wish.languages)) for name, wish in (wishes or {}).items())
    digest = blake2b(digest_size=12)
    digest.update(msgspec.json.encode([msgspec.to_builtins(reading), asked, _code()]))
    return KeptReader(reader_of(recipe, wishes), cache_folder() / "readings" / f"{digest.hexdigest()}.db")


@cache
def _code() -> str:
    return code_digest(CODE)


def _key(fetched: Fetched) -> bytes:
    digest = blake2b(fetched.body, digest_size=16)
    digest.update(msgspec.json.encode([fetched.url, fetched.mime, fetched.headers]))
    return digest.digest()


@cache
def _opened(path: Path) -> BlobCache:
    return open_cache(path)

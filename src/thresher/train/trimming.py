"""Trims training pages: marked passages are not used for training."""

from collections.abc import Collection
from hashlib import blake2b

from msgspec.structs import replace

from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import ParsedPage

_DIGEST_BYTES = 8


def passage_digest(passage: str) -> str:
    """Return the digest of a passage, independent of its position in the page and its spacing.

    >>> passage_digest(" Home  |  News") == passage_digest("Home | News")
    True
    """
    return blake2b(" ".join(passage.split()).encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).hexdigest()


def passages(text: str) -> list[str]:
    """Return the passages of a page's text: its lines that are not empty."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def trimmed(page: ParsedPage, without: Collection[str]) -> ParsedPage:
    """Return a page without the passages with the given digests; its title stays.

    >>> page = ParsedPage(url="", title="", words=[], links=[], text="Tea leaves\\nCookie banner", language="en")
    >>> trimmed(page, [passage_digest("Cookie banner")]).terms
    {'tea': 1, 'leav': 1}
    """
    unwanted = frozenset(without)
    kept = [passage for passage in passages(page.text) if passage_digest(passage) not in unwanted]
    said = words("\n".join([page.title, *kept]))
    terms = count_stems(said, page.language)
    return replace(page, text="\n".join(kept), words=said, terms=dict(terms), links=[])

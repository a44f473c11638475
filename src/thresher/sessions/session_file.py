"""Reads and writes sessions as JSON Lines, one session per line.

    {"pages": [{"url": "http://a.test/", "terms": {"boat": 2}}, …], "links": [[0, 1]], "useful": [1]}

A page has its stems with counts as `terms`, or its `text`, which is stemmed on reading. Links and useful pages are
indices into the list of pages. Files are untrusted: sizes are limited and every index is checked.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from thresher.errors import InputError
from thresher.learn.model_file import save
from thresher.sessions.session import Session, VisitedPage
from thresher.text.language import identify
from thresher.text.stems import stems_of
from thresher.text.words import words
from thresher.web.urls import canonical

LARGEST: Final = 256 << 20
"""Maximum size of a file in bytes."""

MOST_PAGES: Final = 100_000
"""Maximum number of pages in all sessions of a file."""

MOST_TIMES: Final = 1_000_000
"""Maximum count of a stem on a page."""


class _Page(msgspec.Struct):
    url: str
    terms: dict[str, int] = {}
    text: str = ""
    title: str = ""


class _Line(msgspec.Struct):
    pages: list[_Page]
    links: list[tuple[int, int]] = []
    useful: list[int] = []


_DECODER: Final = msgspec.json.Decoder(_Line)


def read_sessions(path: Path) -> list[Session]:
    """Return the sessions in a file; raise InputError with the first invalid line."""
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"'{path}' is larger than {LARGEST >> 20} MB.", "Split it into smaller files.")
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"'{path}' cannot be read: {error.strerror}.", "Check the name of the file.") from None
    found: list[Session] = []
    pages = 0
    for number, line in enumerate(lines, start=1):
        if line.strip():
            found.append(_session(line, f"line {number} of '{path}'"))
            pages += len(found[-1].pages)
        if pages > MOST_PAGES:
            raise InputError(f"'{path}' has more than {MOST_PAGES:,} pages.", "Split it into smaller files.")
    return found


def write_sessions(path: Path, sessions: Iterable[Session]) -> int:
    """Write sessions to a file atomically, and return how many there were."""
    lines = [msgspec.json.encode(session) for session in sessions]
    save(path, b"".join(line + b"\n" for line in lines))
    return len(lines)


def _session(line: bytes, where: str) -> Session:
    try:
        known = _DECODER.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{where.capitalize()} is not a session: {error}.", "See docs/STRATEGIES.md.") from None
    count = len(known.pages)
    places = [place for link in known.links for place in link] + known.useful
    if any(not 0 <= place < count for place in places):
        raise InputError(
            f"{where.capitalize()} names a page that it does not have.", "Links and useful count pages from 0."
        )
    pages = []
    for page in known.pages:
        url = canonical(page.url)
        if url is None or any(not 1 <= number <= MOST_TIMES for number in page.terms.values()):
            raise InputError(
                f"The page '{page.url[:100]}' in {where} has no valid address or counts.",
                f"Pages need an http or https address, and counts go from 1 to {MOST_TIMES:,}.",
            )
        pages.append(VisitedPage(url, page.terms or stems_in(page.text), page.title))
    return Session(pages, known.links, known.useful)


def stems_in(text: str) -> dict[str, int]:
    """Return the stems of a text with their counts.

    >>> stems_in("The boats sail")
    {'boat': 1, 'sail': 1}
    """
    said = words(text)
    language = identify(said).code or "en"
    return dict(Counter(stem for stems in stems_of(said, language) for stem in stems))

"""WebKB: the computer science departments of four universities in January 1997, with one held out at a time.

The web is the held-out university; examples and negatives come from the other three and the miscellaneous pages. Pages
at ftp: and file: addresses cannot be crawled and are left out, as are duplicates of an address.
"""

import gzip
import re
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from msgspec import Struct

from thresher.bench.data import collection
from thresher.bench.webs.web import BenchWeb, Labels, Usual, WebKind, counted
from thresher.types import Fetched
from thresher.web.urls import canonical

NAME: Final = "webkb"
HOSTS: Final = "webkb-hosts"
UNIVERSITIES: Final = ("cornell", "texas", "washington", "wisconsin")
TOPICS: Final = ("course", "faculty", "project", "student")

# Ports are written with an underscore, as file names could not contain a colon.
_PORT: Final = re.compile(r"^(https?://[^/:]+)_(\d+)(?=/|$)")
_INDEX: Final = re.compile(r"/(?:index|default)\.html?$", re.IGNORECASE)
_FIELD: Final = re.compile(rb"[A-Za-z][A-Za-z0-9 -]*:[^\n]*")


class _Row(Struct, frozen=True):
    kind: str
    university: str
    member: str


class WebKb:
    """All pages of the data set; `folder` is the unpacked archive, `index` the file that lists them."""

    name = NAME

    def __init__(self, folder: Path, index: Path) -> None:
        self._folder = folder
        self._index = index

    @cached_property
    def digest(self) -> str:
        """The digest of pages and index."""
        # The folder name contains the digest of the archive.
        return blake2b(self._folder.name.encode() + self._index.read_bytes(), digest_size=16).hexdigest()

    @cached_property
    def _rows(self) -> dict[str, list[_Row]]:
        """The entries of each address, usually one, in the order of the index."""
        found: dict[str, list[_Row]] = {}
        with gzip.open(self._index, "rt", encoding="latin-1") as lines:
            next(lines, None)
            for line in lines:
                kind, university, address, member, _ = line.rstrip("\n").split("\t")
                url = canonical(_PORT.sub(r"\1:\2", address))
                if url is not None:
                    found.setdefault(url, []).append(_Row(kind, university, member))
        return dict(sorted(found.items()))

    @cached_property
    def _folded(self) -> dict[str, str]:
        """The page of each folded address; the first by address if there are several."""
        found: dict[str, str] = {}
        for url in self._rows:
            found.setdefault(folded(url), url)
        return found

    def urls(self) -> Sequence[str]:
        """Return the URL of every page that can be crawled."""
        return list(self._rows)

    def answer(self, url: str) -> Fetched:
        """Return a page without its stored header lines, with the type they name."""
        stored = (self._folder / self._rows[url][0].member).read_bytes()
        kind, body = split_header(stored)
        headers = [("Content-Type", kind)]
        mime = kind.partition(";")[0].strip().lower()
        return Fetched(url=url, status=200, headers=headers, body=body, raw=body, mime=mime, at=0.0)

    def held(self, url: str) -> str | None:
        """Return the page for an address, ignoring a final slash and the name of an index page."""
        return url if url in self._rows else self._folded.get(folded(url))

    def labels(self, universities: Sequence[str]) -> Labels:
        """Return the classes of the pages of some universities."""
        wanted = set(universities)
        return {
            url: tuple(sorted({row.kind for row in rows if row.university in wanted}))
            for url, rows in self._rows.items()
            if any(row.university in wanted for row in rows)
        }


def split_header(stored: bytes) -> tuple[str, bytes]:
    """Return type and body of a stored page, which may begin with header lines.

    >>> split_header(b"Server: X\\nContent-type: text/plain\\n\\nBoats")
    ('text/plain', b'Boats')
    >>> split_header(b"<html>")
    ('text/html', b'<html>')
    """
    kind = "text/html"
    place = 0
    while place < len(stored):
        end = stored.find(b"\n", place)
        line = stored[place : end if end >= 0 else len(stored)].rstrip(b"\r")
        if not line:
            return kind, stored[end + 1 :]
        if not _FIELD.fullmatch(line):
            break
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-type":
            kind = value.strip().decode("latin-1") or kind
        place = end + 1 if end >= 0 else len(stored)
    return kind, stored if place == 0 else stored[place:]


def folded(url: str) -> str:
    """Return the common form of all addresses of a page.

    >>> folded("http://a.test/~x/index.html"), folded("http://a.test/%7Ex/"), folded("http://a.test/~x")
    ('http://a.test/~x', 'http://a.test/~x', 'http://a.test/~x')
    """
    return _INDEX.sub("/", unquote(url, "latin-1")).rstrip("/")


def webkb(member: str, data: Path) -> BenchWeb:
    """Return the web of the held-out university; crawls start at the department's page."""
    pages = WebKb(collection(NAME, data), data / NAME / "index.tsv.gz")
    labels = pages.labels([member])
    others = [other for other in (*UNIVERSITIES, "misc") if other != member]
    return BenchWeb(
        name=f"{NAME}-{member}",
        collection=pages,
        served=frozenset(labels),
        labels=labels,
        corpus={url: kinds for url, kinds in pages.labels(others).items() if url not in labels},
        topics={topic: sum(topic in kinds for kinds in labels.values()) for topic in TOPICS},
        home=tuple(url for url, kinds in labels.items() if "department" in kinds),
    )


def webkb_hosts(data: Path) -> BenchWeb:
    """Return the web of all universities and the miscellaneous pages, with the links between their hosts."""
    pages = WebKb(collection(NAME, data), data / NAME / "index.tsv.gz")
    labels = {
        url: tuple(kind for kind in kinds if kind in TOPICS)
        for url, kinds in pages.labels([*UNIVERSITIES, "misc"]).items()
    }
    return BenchWeb(
        name=HOSTS,
        collection=pages,
        served=frozenset(pages.urls()),
        labels=labels,
        corpus=labels,
        topics=counted(labels),
    )


WHOLE: Final = WebKind(name=HOSTS, opens=webkb_hosts)
WEB: Final = WebKind(
    name=NAME,
    opens=webkb,
    members=UNIVERSITIES,
    usual=Usual(examples=20, negatives=60, start=5, budget=300),
    own_starts=True,
)

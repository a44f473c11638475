"""Wikispeedia: the 2007 Schools Wikipedia Selection as one host, its categories as labels.

Two things that would reveal the categories are withheld: the line "Related subjects" at the head of every article, and
the index pages. The charity's pages are served as natural noise; the two root pages of the selection are not in the
data.
"""

import gzip
import re
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Final

from thresher.bench.data import collection
from thresher.bench.webs.spread_hosts import SpreadPages
from thresher.bench.webs.web import BenchWeb, Collection, Labels, WebKind, counted
from thresher.errors import InputError
from thresher.types import Fetched
from thresher.web.urls import canonical

NAME: Final = "wikispeedia"
HOST: Final = "http://wikispeedia.test/"

TUNE: Final = (
    "Science.Biology",
    "Geography.African_Geography",
    "Everyday_life.Food_and_agriculture",
    "History.British_History",
    "Design_and_Technology.Engineering",
)
REPORT: Final = (
    "Science.Physics",
    "Geography.Geology_and_geophysics",
    "History.Military_History_and_War",
    "People.Writers_and_critics",
    "Design_and_Technology.Architecture",
)

_LEAK: Final = re.compile(rb"<h3\b[^>]*>(?:(?!</?h3\b).)*Related subjects(?:(?!</?h3\b).)*</h3>", re.DOTALL)
_TYPE: Final = "text/html; charset=utf-8"


class Wikispeedia:
    """The pages of the selection; `folder` is the unpacked archive, `categories` the file of labels."""

    name = NAME

    def __init__(self, folder: Path, categories: Path) -> None:
        self._folder = folder
        self._categories = categories

    @cached_property
    def digest(self) -> str:
        """The digest of pages and labels."""
        # The folder name contains the digest of the archive.
        return blake2b(self._folder.name.encode() + self._categories.read_bytes(), digest_size=16).hexdigest()

    @cached_property
    def _paths(self) -> dict[str, Path]:
        root = self._folder / "wpcd"
        found: dict[str, Path] = {}
        for folder in sorted(path for path in (root / "wp").iterdir() if path.is_dir() and path.name != "index"):
            for path in folder.glob("*.htm"):
                found[page_url(path.relative_to(root).as_posix())] = path
        return dict(sorted(found.items()))

    def urls(self) -> Sequence[str]:
        """Return the URL of every article and charity page."""
        return list(self._paths)

    def answer(self, url: str) -> Fetched:
        """Return a page without the line that names its categories."""
        body = without_subjects(self._paths[url].read_bytes())
        headers = [("Content-Type", _TYPE)]
        return Fetched(url=url, status=200, headers=headers, body=body, raw=body, mime="text/html", at=0.0)

    def held(self, url: str) -> str | None:
        """Return the URL itself if it is served."""
        return url if url in self._paths else None

    def labels(self) -> Labels:
        """Return the topics of every categorised article."""
        by_name = {path.stem: url for url, path in self._paths.items()}
        found: dict[str, list[str]] = {}
        with gzip.open(self._categories, "rt", encoding="utf-8") as lines:
            for line in lines:
                name, _, category = line.strip().partition("\t")
                if category and not name.startswith("#"):
                    if name not in by_name:
                        raise InputError(
                            f"'{self._categories}' names '{name}', which is not in the archive.",
                            "Get both files of the collection from the same source.",
                        )
                    found.setdefault(by_name[name], []).append(topic_of(category))
        return {url: tuple(sorted(set(found[url]))) for url in sorted(found)}


def without_subjects(html: bytes) -> bytes:
    """Return a page without the heading that names its categories.

    >>> without_subjects(b"<h1>Oak</h1><h3 id='s'>A. Related subjects: <a href='x'>Plants</a></h3><p>Oak")
    b'<h1>Oak</h1><p>Oak'
    """
    return _LEAK.sub(b"", html)


def page_url(path: str) -> str:
    """Return the URL of a file in the archive; escapes in file names are part of the name.

    >>> page_url("wp/q/Qur%27an.htm")
    'http://wikispeedia.test/wp/q/Qur%2527an.htm'
    """
    url = canonical(HOST + path.replace("%", "%25"))
    assert url is not None, path
    return url


def topic_of(category: str) -> str:
    """Return the topic of a category: what follows `subject.`, cut to its first two parts.

    >>> topic_of("subject.Science.Biology.Evolution"), topic_of("subject.Countries")
    ('Science.Biology', 'Countries')
    """
    return ".".join(category.removeprefix("subject.").split(".")[:2])


def wikispeedia(data: Path, hosts: int = 1) -> BenchWeb:
    """Return the web of the collection in the data folder, spread over `hosts` hosts by a fixed rule."""
    selection = Wikispeedia(collection(NAME, data), data / NAME / "categories.tsv.gz")
    pages: Collection = selection
    labels = selection.labels()
    if hosts > 1:
        subjects = {url: topics[0].partition(".")[0] for url, topics in labels.items()}
        pages = spread = SpreadPages(selection, subjects, hosts)
        labels = {spread.renamed(url): topics for url, topics in labels.items()}
    return BenchWeb(
        name=NAME,
        collection=pages,
        served=frozenset(pages.urls()),
        labels=labels,
        corpus=labels,
        topics=counted(labels),
        topic_sets={"open": TUNE + REPORT, "tune": TUNE, "report": REPORT},
    )


WEB: Final = WebKind(name=NAME, opens=wikispeedia, quick=True)

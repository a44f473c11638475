"""Cora: abstracts of 2,277 machine learning papers, linked to the papers they cite and those that cite them.

A page contains only the abstract; its links have no text, as references do not say what a paper is about. The seven
classes have no names in the data and are called `class-0` to `class-6`.
"""

import gzip
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from html import escape
from pathlib import Path
from typing import Final

from thresher.bench.webs.web import BenchWeb, Labels, Usual, WebKind, counted
from thresher.errors import InputError
from thresher.types import Fetched

NAME: Final = "cora"
FOLDER: Final = "citations"
HOST: Final = "http://cora.test/"

_TYPE: Final = "text/html; charset=utf-8"


class Cora:
    """The papers; `folder` holds the files of abstracts, links and classes."""

    name = NAME

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def digest(self) -> str:
        """The digest of the three files."""
        files = [(self._folder / f"cora-text.{kind}.txt.gz").read_bytes() for kind in ("data", "graph", "group")]
        return blake2b(b"".join(files), digest_size=16).hexdigest()

    @cached_property
    def _abstracts(self) -> list[str]:
        return self._lines("data")

    @cached_property
    def _neighbours(self) -> list[list[int]]:
        found: list[dict[int, None]] = [{} for _ in self._abstracts]
        for line in self._lines("graph"):
            one, other = map(int, line.split())
            found[one][other] = found[other][one] = None
        return [sorted(others) for others in found]

    def urls(self) -> Sequence[str]:
        """Return the URL of every paper."""
        return sorted(paper_url(number) for number in range(len(self._abstracts)))

    def answer(self, url: str) -> Fetched:
        """Return the abstract of a paper and its links."""
        number = int(url.removeprefix(HOST).removesuffix(".html"))
        links = "".join(f'<li><a href="{paper_url(other)}"></a></li>' for other in self._neighbours[number])
        body = f"<html><body><p>{escape(self._abstracts[number])}</p><ul>{links}</ul></body></html>".encode()
        headers = [("Content-Type", _TYPE)]
        return Fetched(url=url, status=200, headers=headers, body=body, raw=body, mime="text/html", at=0.0)

    def held(self, url: str) -> str | None:
        """Return the URL itself if it is served."""
        return url if url in self._known else None

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.urls())

    def labels(self) -> Labels:
        """Return the class of every paper that has one."""
        classes = enumerate(self._lines("group"))
        return {paper_url(number): (f"class-{own.strip()}",) for number, own in classes if own.strip()}

    def _lines(self, kind: str) -> list[str]:
        with gzip.open(self._folder / f"cora-text.{kind}.txt.gz", "rt", encoding="utf-8", errors="replace") as lines:
            return [line.rstrip("\n") for line in lines]


def paper_url(number: int) -> str:
    """Return the URL of a paper.

    >>> paper_url(7)
    'http://cora.test/7.html'
    """
    return f"{HOST}{number}.html"


def cora(data: Path) -> BenchWeb:
    """Return the web of the collection in the data folder."""
    folder = data / FOLDER
    if not (folder / "cora-text.data.txt.gz").exists():
        raise InputError(
            f"There is no collection '{FOLDER}' in '{data}'.",
            "Give the folder of the datasets with --data or THRESHER_DATA; docs/DATA.md says where they come from.",
        )
    papers = Cora(folder)
    labels = papers.labels()
    return BenchWeb(
        name=NAME,
        collection=papers,
        served=frozenset(papers.urls()),
        labels=labels,
        corpus=labels,
        topics=counted(labels),
    )


WEB: Final = WebKind(name=NAME, opens=cora, usual=Usual(budget=500))

"""The web `manuals`: HTML manuals of 71 Debian packages on 83 hosts, labelled by topic (docs/DATA.md)."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from thresher.bench.promise.distant_hosts import USUAL
from thresher.bench.promise.web import PoliteWeb
from thresher.crawl.clock import VirtualClock
from thresher.errors import InputError
from thresher.protocols import Fetcher
from thresher.store.archive.archived import records
from thresher.store.archive.replay import ReplayFetcher
from thresher.web.urls import canonical

NAME: Final = "manuals"
OTHER: Final = "other"
"""The label of pages that belong to no topic."""

NOTE: Final = "A host has one topic or none, so that every link within an on-topic host is on topic."


def manuals(data: Path) -> PoliteWeb:
    """Return the web; raises InputError where the folder of collections does not have it."""
    folder = data / NAME
    archive = folder / f"{NAME}.warc.gz"
    if not archive.exists():
        raise InputError(
            f"There is no collection '{NAME}' in '{data}'.",
            "Name the folder of the collections with --data or THRESHER_DATA; docs/DATA.md says where they come from.",
        )
    labels = _labels(folder / "labels-all.tsv")
    return PoliteWeb(
        name=NAME,
        digest=_digest(archive),
        answers=lambda *_: _replayed(archive),
        hosts=dict.fromkeys(_hosts(folder / "hosts.tsv"), USUAL),
        urls=lambda: _urls(archive),
        labels=labels,
        bookmarks={
            "one-host": (folder / "bookmarks.html").read_bytes(),
            "spread": (folder / "bookmarks-spread.html").read_bytes(),
        },
        note=NOTE,
    )


@cache
def _replayed(archive: Path) -> Fetcher:
    """Return what answers from the archive; one for all runs, for its index takes long to make."""
    return ReplayFetcher([archive], VirtualClock())


def _hosts(path: Path) -> list[str]:
    return [line.partition("\t")[0] for line in path.read_text("utf-8").splitlines()[1:]]


def _urls(archive: Path) -> list[str]:
    found = {canonical(record.url) for record in records(archive)}
    return sorted(url for url in found if url is not None and not url.endswith("/robots.txt"))


@cache
def _digest(archive: Path) -> str:
    with archive.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()[:32]


def _labels(path: Path) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in path.read_text("utf-8").splitlines():
        address, _, topic = line.partition("\t")
        url = canonical(address)
        if url is not None:
            found[url] = () if topic == OTHER else (topic,)
    return found

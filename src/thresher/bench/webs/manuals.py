"""Manuals: HTML manuals of 71 Debian packages on 83 hosts, labelled by topic, with robots files and bookmarks.

The topic of a page is that of its host. Pages in German and French have the additional label `TOPIC-de` or `TOPIC-fr`;
pages about the manual itself (licences, changes, indices) have no label.
"""

from pathlib import Path
from typing import Final

from thresher.bench.webs.warc import WarcPages
from thresher.bench.webs.web import BenchWeb, Labels, WebKind, counted
from thresher.errors import InputError
from thresher.web.urls import canonical, host_of

NAME: Final = "manuals"
CHOOSE: Final = ("algebra", "cloud", "music", "webframeworks")
REPORT: Final = ("astronomy", "mail", "networks", "office")
NOTE: Final = "A host has one topic or none, so that every link within an on-topic host is on topic."

_OTHER: Final = "other"
_ENGLISH: Final = "en"


def manuals(data: Path) -> BenchWeb:
    """Return the web of the collection in the data folder."""
    folder = data / NAME
    archive = folder / f"{NAME}.warc.gz"
    if not archive.exists():
        raise InputError(
            f"There is no collection '{NAME}' in '{data}'.",
            "Give the folder of the datasets with --data or THRESHER_DATA; docs/DATA.md says where they come from.",
        )
    pages = WarcPages(archive)
    labels = _labels(folder / "labels-all.tsv", _languages(folder / "hosts.tsv"))
    return BenchWeb(
        name=NAME,
        collection=pages,
        served=frozenset(pages.urls()),
        labels=labels,
        corpus=labels,
        topics=counted(labels),
        topic_sets={"all": tuple(sorted(CHOOSE + REPORT)), "choose": CHOOSE, "report": REPORT},
        note=NOTE,
        robots=pages.robots,
        bookmarks={
            "one-host": (folder / "bookmarks.html").read_bytes(),
            "spread": (folder / "bookmarks-spread.html").read_bytes(),
        },
    )


def _labels(path: Path, languages: dict[str, str]) -> Labels:
    found: dict[str, tuple[str, ...]] = {}
    for line in path.read_text("utf-8").splitlines():
        address, _, topic = line.partition("\t")
        url = canonical(address)
        if url is None:
            continue
        language = languages.get(host_of(url), _ENGLISH)
        named = () if topic == _OTHER else (topic,)
        found[url] = named if language == _ENGLISH else (*named, *(f"{name}-{language}" for name in named))
    return found


def _languages(path: Path) -> dict[str, str]:
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()[1:]]
    return {row[0]: row[2] for row in rows}


WEB: Final = WebKind(name=NAME, opens=manuals)

"""The webs by their names: `wikispeedia`, `webkb-cornell`, `generated(pages=5000;seed=3)`, `warc:crawl.warc.gz`."""

import difflib
from functools import lru_cache
from pathlib import Path

from thresher.bench.webs import generated, warc, webkb, wikispeedia
from thresher.bench.webs.web import BenchWeb, Collection
from thresher.errors import InputError
from thresher.plugins import parse

KEPT = 2
"""Webs that stay open in a process."""


def web_names() -> list[str]:
    """Return the names of the webs that need no parameter."""
    return [wikispeedia.NAME, *(f"{webkb.NAME}-{name}" for name in webkb.UNIVERSITIES), generated.NAME]


def expanded(name: str) -> list[str]:
    """Return the webs a name stands for: `webkb` is each of its universities in turn.

    >>> expanded("webkb")[0], expanded("wikispeedia")
    ('webkb-cornell', ['wikispeedia'])
    """
    return [f"{webkb.NAME}-{held_out}" for held_out in webkb.UNIVERSITIES] if name == webkb.NAME else [name]


@lru_cache(maxsize=KEPT)
def find(name: str, data: Path | None = None) -> BenchWeb:
    """Return a web by its name; `data` is the folder of the collections, which some webs need.

    An archive is named `warc:FILE`, or `warc:FILE;labels=FILE` with a file of lines `URL<tab>topic`.
    """
    if name.startswith(f"{warc.NAME}:"):
        path, _, labels = name.removeprefix(f"{warc.NAME}:").partition(";labels=")
        return warc.warc(Path(path), Path(labels) if labels else None)
    kind, parameters = parse(name)
    if kind == generated.NAME:
        return generated.generated(parameters)
    if name == webkb.NAME:
        raise InputError(f"'{name}' stands for several webs.", f"Name one of them: {', '.join(expanded(name))}.")
    if kind not in web_names() or parameters:
        near = difflib.get_close_matches(kind, [*web_names(), webkb.NAME], 1, 0.4)
        raise InputError(
            f"There is no web '{name}'.",
            f"Did you mean '{near[0]}'?" if near else f"There are: {', '.join(web_names())}, warc:FILE.",
        )
    if data is None:
        raise InputError(
            f"The web '{name}' needs the folder of the collections.", "Name it with --data or THRESHER_DATA."
        )
    if kind == wikispeedia.NAME:
        return wikispeedia.wikispeedia(data)
    return webkb.webkb(kind.removeprefix(f"{webkb.NAME}-"), data)


def collection_of(name: str, data: Path | None = None) -> Collection:
    """Return the collection of a web, for another process to read."""
    return find(name, data).collection

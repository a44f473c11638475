"""The record of a trial: its figures and everything they are computed from; one gzipped JSON file per trial."""

import gzip
import os
import re
import zlib
from pathlib import Path
from typing import Any, Final

import msgspec
import xxhash
from msgspec import Struct

from thresher.bench.promise.calibration import Bin
from thresher.bench.promise.figures import TopicFigures
from thresher.errors import InputError

SUFFIX: Final = ".promise.json.gz"


class Promise(Struct, frozen=True, kw_only=True):
    """The figures of one trial, as listed by `thresher bench promise --json`; shares are between 0 and 1.

    `hosts` is the number of hosts, `examples` that of bookmarks, and `split` says whether settings may be tuned on it.
    `on_topic`, `on_topic_new_hosts` and `right_pages` are shares of the whole budget; `f_home_hosts` and fields ending
    in `new_hosts` distinguish hosts with and without a bookmark; fields starting with `judged` show the last model on a
    sample of the web. `breadth_first` and `stay_home` are the on-topic shares of the baselines, whose pages were judged
    by the run's last model. Fields ending in `in_time` count only what a baseline fetches in the run's virtual time.
    `rounds_kept_harmful` and `rounds_rolled_back_helpful` count wrong decisions according to the same sample. `stages`
    counts pages by the kind of crawl that fetched them. `calibration` compares the probabilities of accepted pages on
    hosts without a bookmark with the share that is right. Shares are None if undefined or not measured.
    """

    web: str
    cell: str
    split: str
    seed: int
    budget: int
    pages: int
    hosts: int
    examples: int
    on_topic: float
    on_topic_new_hosts: float
    hosts_found: float | None
    breadth_first: float | None = None
    stay_home: float | None = None
    right_pages: float
    oracle_share: float | None
    precision: float | None
    recall_of_fetched: float | None
    precision_new_hosts: float | None
    recall_new_hosts: float | None
    f_new_hosts: float | None
    f_home_hosts: float | None
    judged_f_new_hosts: float | None
    judged_precision_new_hosts: float | None
    breadth_first_right_pages: float | None = None
    breadth_first_hosts_found: float | None = None
    breadth_first_seconds: float | None = None
    breadth_first_right_pages_in_time: float | None = None
    stay_home_right_pages: float | None = None
    stay_home_hosts_found: float | None = None
    stay_home_seconds: float | None = None
    stay_home_right_pages_in_time: float | None = None
    topics: list[TopicFigures]
    topics_new_hosts: list[TopicFigures]
    negatives_wrong: float | None
    archetypes_wrong: float | None
    rounds_kept: int
    rounds_rolled_back: int
    rounds_kept_harmful: int
    rounds_rolled_back_helpful: int
    fetched_again: int
    stages: dict[str, int]
    virtual_seconds: float
    calibration: list[Bin] = []

    @property
    def margin(self) -> float:
        """The lead over the better baseline in right accepted pages; the figure itself if there is no baseline."""
        return self.right_pages - max(self.breadth_first_right_pages or 0.0, self.stay_home_right_pages or 0.0)


class Fetch(Struct, frozen=True, array_like=True):
    """A page that was fetched `at` seconds after the start by a crawl of a `kind`, and the `topic` assigned to it.

    The topic is None if the page was not accepted or is no longer stored.
    """

    url: str
    at: float
    kind: str
    topic: str | None = None


class PromiseRecord(Struct, frozen=True, kw_only=True):
    """A trial with everything behind its figures.

    `cell` is the cell as data, `bookmarks` the file that the portal was created from; `log` lists the fetches of the
    run in order; `changed` holds the requested settings, `data` the digest of the web, `versions` those of the program
    and its libraries.
    """

    run: Promise
    cell: dict[str, Any]
    bookmarks: str
    log: list[Fetch]
    changed: list[str]
    data: str
    versions: dict[str, str]
    seconds: float
    note: str = ""


def record_name(cell: str, seed: int, changed: tuple[str, ...], baselines: bool) -> str:
    """Return the file name of a trial; a trial replaces only its own record.

    >>> record_name("manuals/one-host", 0, (), True)
    'manuals_one-host-0-d1995950.promise.json.gz'
    """
    parts = [cell, str(seed), *changed, *([] if baselines else ["alone"])]
    readable = "-".join(re.sub(r"[^A-Za-z0-9.-]+", "_", part)[:40].strip("_") for part in parts)
    return f"{readable}-{xxhash.xxh32_hexdigest(chr(0).join(parts).encode())}{SUFFIX}"


def write_record(path: Path, record: PromiseRecord) -> None:
    """Write a record atomically, creating its directory if needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    beside.write_bytes(gzip.compress(msgspec.json.encode(record), compresslevel=6, mtime=0))
    beside.replace(path)


def read_record(path: Path) -> PromiseRecord:
    """Read the record of a trial; raises InputError if the file is not a record."""
    try:
        return msgspec.json.decode(gzip.decompress(path.read_bytes()), type=PromiseRecord)
    except (OSError, EOFError, zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise InputError(
            f"'{path}' is not a record of a trial: {wrong}.", "Remove it, or run the bench again."
        ) from wrong

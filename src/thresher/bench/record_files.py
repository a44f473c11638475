"""Records of runs on disk: one gzipped JSON file per run, written atomically and named after the run."""

import gzip
import os
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import msgspec
import xxhash

from thresher.bench.conditions import conditions_of
from thresher.bench.records import Mode, Record, Training, unusual
from thresher.errors import InputError

SUFFIX = ".run.json.gz"
LARGEST = 256 * 2**20
"""Size limit of a record in bytes: a crawl of a million pages fits."""
LONGEST = 10_000_000
"""Maximum budget in pages: a curve of this length fits in memory."""


class RunIdentity(Protocol):
    """The attributes that identify a run, made or to be made."""

    @property
    def web(self) -> str:
        """Its web."""

    @property
    def mode(self) -> Mode:
        """Its mode."""

    @property
    def topic(self) -> str:
        """Its topic."""

    @property
    def strategy(self) -> str:
        """Its strategy."""

    @property
    def classifier(self) -> str:
        """Its page classifier."""

    @property
    def training(self) -> Training:
        """What its classifier learned from."""

    @property
    def budget(self) -> int:
        """Its budget in pages."""

    @property
    def seed(self) -> int:
        """Its seed set."""


def file_name(run: RunIdentity, conditions: str = "") -> str:
    """Return the file name of a run under some conditions; a run replaces only its own record.

    >>> from thresher.bench.records import Run
    >>> run = Run(web="w", topic="Science.Physics", strategy="hcla(k=50)", seed=3, budget=9, mode="hard",
    ...           targets=1, pages=9, harvest_rate=0.0, target_recall=0.0, oracle_share=None, cpu_ms_per_page=1.0)
    >>> file_name(run)
    'w-hard-Science.Physics-hcla_k_50-9-3-a8d6647a.run.json.gz'
    """
    asked = unusual(run.classifier, run.training)
    parts = [run.web, run.mode, run.topic, run.strategy, *asked, str(run.budget), str(run.seed)]
    parts += [conditions] if conditions else []
    readable = "-".join(re.sub(r"[^A-Za-z0-9.]+", "_", part)[:40].strip("_") for part in parts)
    # Names may look alike without their special characters; the hash of the whole distinguishes them.
    return f"{readable}-{xxhash.xxh32_hexdigest(chr(0).join(parts).encode())}{SUFFIX}"


def write_record(directory: Path, record: Record) -> Path:
    """Write a record to a directory, creating it if needed, and return the file."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / own_name(record)
    _give_way(directory / file_name(record.run))
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    beside.write_bytes(gzip.compress(msgspec.json.encode(record), compresslevel=6, mtime=0))
    beside.replace(path)
    return path


def own_name(record: Record) -> str:
    """Return the file name of a record."""
    return file_name(record.run, conditions_of(record))


def read_record(path: Path) -> Record:
    """Read the record of a run."""
    try:
        with gzip.open(path) as file:
            body = file.read(LARGEST + 1)
        if len(body) > LARGEST:
            raise InputError(f"'{path}' is too large for a record.", "Remove it from the directory.")
        record = msgspec.json.decode(body, type=Record)
    except (OSError, EOFError, zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise InputError(
            f"'{path}' is not a record of a run: {wrong}.", "Remove it, or run the bench again."
        ) from wrong
    if not _adds_up(record):
        raise InputError(f"The figures of '{path}' contradict its log.", "Remove it, or run the bench again.")
    return record


def read_records(directory: Path) -> list[Record]:
    """Read all records in a directory, sorted by web, mode, topic, strategy and seed set."""
    files = sorted(directory.glob(f"*{SUFFIX}")) if directory.is_dir() else []
    if not files:
        raise InputError(f"'{directory}' contains no records of runs.", "Run some first: thresher bench run --help")
    records = [read_record(path) for path in files]
    return sorted(records, key=_place)


def read_directories(directories: Sequence[Path]) -> list[Record]:
    """Read the records in several directories; if a run is in more than one, the first counts."""
    found: dict[str, Record] = {}
    for directory in directories:
        for record in read_records(directory):
            found.setdefault(own_name(record), record)
    return sorted(found.values(), key=_place)


def _adds_up(record: Record) -> bool:
    """Return whether the figures of a record are consistent with its log."""
    run = record.run
    found = max(sum(visit.target for visit in record.log), sum(record.oracle))
    return found <= run.targets and run.pages == len(record.log) and 0 <= run.budget <= LONGEST and run.seed >= 0


def _give_way(path: Path) -> None:
    """Rename a record that has the name of another run; earlier names did not include the conditions."""
    try:
        own = path.with_name(own_name(read_record(path)))
    except InputError:
        return
    if own.exists() and own != path:
        path.unlink()
    else:
        path.rename(own)


def _place(record: Record) -> tuple[str, str, int, str, str, str, int]:
    run = record.run
    return run.web, run.mode, run.budget, conditions_of(record), run.topic, run.crawler, run.seed

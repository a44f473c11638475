"""Records of runs on disk: one gzipped JSON file per run, complete or absent, named after the run."""

import gzip
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import msgspec
import xxhash

from thresher.bench.records import Mode, Record, Run, Training, unusual
from thresher.errors import InputError

SUFFIX = ".run.json.gz"
LARGEST = 256 * 2**20
"""Bytes of a record at most: a crawl of a million pages fits."""


class Named(Protocol):
    """What tells one run from another: a run that was made, or one that is to be made."""

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
        """What its classifier learnt from."""

    @property
    def budget(self) -> int:
        """Its budget in pages."""

    @property
    def seed(self) -> int:
        """Its seed set."""


def file_name(run: Named) -> str:
    """Return the name of a run's file: the same run always replaces its own record, and no other.

    >>> run = Run(web="w", topic="Science.Physics", strategy="hcla(k=50)", seed=3, budget=9, mode="hard",
    ...           targets=1, pages=9, harvest_rate=0.0, target_recall=0.0, oracle_share=None, cpu_ms_per_page=1.0)
    >>> file_name(run)
    'w-hard-Science.Physics-hcla_k_50-9-3-a8d6647a.run.json.gz'
    """
    asked = unusual(run.classifier, run.training)
    parts = (run.web, run.mode, run.topic, run.strategy, *asked, str(run.budget), str(run.seed))
    readable = "-".join(re.sub(r"[^A-Za-z0-9.]+", "_", part)[:40].strip("_") for part in parts)
    # Two names can look alike once their odd characters are gone; the hash of the whole keeps them apart.
    return f"{readable}-{xxhash.xxh32_hexdigest(chr(0).join(parts).encode())}{SUFFIX}"


def write_record(directory: Path, record: Record) -> Path:
    """Write a record into a directory, which is made where it is missing, and return its file."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / file_name(record.run)
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    beside.write_bytes(gzip.compress(msgspec.json.encode(record), compresslevel=6, mtime=0))
    beside.replace(path)
    return path


def read_record(path: Path) -> Record:
    """Read the record of a run."""
    try:
        with gzip.open(path) as file:
            body = file.read(LARGEST + 1)
        if len(body) > LARGEST:
            raise InputError(f"'{path}' is larger than any record.", "Remove it from the directory.")
        return msgspec.json.decode(body, type=Record)
    except (OSError, EOFError, msgspec.DecodeError) as wrong:
        raise InputError(f"'{path}' is no record of a run: {wrong}.", "Remove it, or run the bench again.") from wrong


def read_records(directory: Path) -> list[Record]:
    """Read every record of a directory, in the order of web, mode, topic, strategy and seed set."""
    files = sorted(directory.glob(f"*{SUFFIX}")) if directory.is_dir() else []
    if not files:
        raise InputError(f"'{directory}' holds no records of runs.", "Make some first: thresher bench run --help")
    records = [read_record(path) for path in files]
    return sorted(records, key=lambda record: _place(record.run))


def read_directories(directories: Sequence[Path]) -> list[Record]:
    """Read the records of several directories; of a run that is in more than one, the record of the first counts."""
    found: dict[str, Record] = {}
    for directory in directories:
        for record in read_records(directory):
            found.setdefault(file_name(record.run), record)
    return sorted(found.values(), key=lambda record: _place(record.run))


def _place(run: Run) -> tuple[str, str, int, str, str, int]:
    return run.web, run.mode, run.budget, run.topic, run.crawler, run.seed

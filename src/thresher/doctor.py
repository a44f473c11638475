"""Checks the machine and a portal, and suggests a remedy for each problem."""

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final

from msgspec import Struct

from thresher import __version__
from thresher.config.load import load
from thresher.crawl.open_files import fitting, needed, reachable
from thresher.errors import ThresherError, command
from thresher.shell_words import shell_words
from thresher.store.archive.archive_files import ARCHIVE, RecordPosition
from thresher.store.archive.checking import damaged_files
from thresher.store.archive.problems import MEANING
from thresher.store.crawl_history import latest_crawl
from thresher.store.locks import holder
from thresher.store.protocol import Store
from thresher.store.repository import BACKENDS, backend_of, open_store

OK: Final = "ok"
WARN: Final = "warn"
FAIL: Final = "fail"
ROOM = 1 << 30
"""Free disk space, in bytes, below which the doctor warns."""


class Check(Struct, frozen=True):
    """One check: `state` is ok, warn or fail; `remedy` says what to do, empty if nothing."""

    name: str
    state: str
    detail: str
    remedy: str = ""


def examine(portal: Path | None = None, *, deep: bool = False) -> list[Check]:
    """Check this machine and, if given, a portal; `deep` reads its whole archive."""
    checks = [*_machine(portal), _disk(portal or Path.cwd())]
    if portal is not None:
        checks += _portal(portal, deep)
    return checks


def _machine(portal: Path | None) -> Iterator[Check]:
    python = ".".join(str(part) for part in sys.version_info[:3])
    yield Check("thresher", OK, f"{__version__} on Python {python}, {os.cpu_count()} cores")
    libraries = ("aiohttp", "selectolax", "msgspec", "pydantic")
    yield Check("libraries", OK, ", ".join(f"{name} {version(name)}" for name in libraries))
    for backend in BACKENDS:
        yield Check(backend.name, OK, backend.version())
    yield _open_files(portal)


def _open_files(portal: Path | None) -> Check:
    """Check the limit on open files, which a crawl raises as far as allowed, against the settings."""
    try:
        settings = load(portal).settings
    except ThresherError:
        settings = load().settings
    wanted, workers = settings.engine.parallel, settings.engine.worker_number
    limit, enough = reachable(), needed(wanted, workers)
    parallel = fitting(limit, wanted, workers)
    if parallel == wanted:
        return Check("open files", OK, f"limit {limit:,}; a crawl needs up to {enough:,}")
    detail = f"limit {limit:,}, enough for {parallel} parallel fetches; engine.parallel is {wanted:,}"
    remedy = f"Raise the limit (ulimit -n {enough}), or lower engine.parallel."
    return Check("open files", WARN if parallel else FAIL, detail, remedy)


def _disk(directory: Path) -> Check:
    there = next(parent for parent in (directory, *directory.absolute().parents) if parent.exists())
    free = shutil.disk_usage(there).free
    detail = f"{free / 1e9:,.1f} GB free at {there}"
    if free < ROOM:
        return Check("disk", WARN, detail, "Free some space: crawls pause when the disk is full.")
    return Check("disk", OK, detail)


def _portal(portal: Path, deep: bool) -> Iterator[Check]:
    backend = backend_of(portal)
    if backend is None:
        yield Check(
            "portal", FAIL, f"{portal} is not a portal", f"Create one: {command('new', portal, '--seeds', 'FILE')}"
        )
        return
    shut = _shut(portal)
    if shut is None and backend.writable(portal):
        yield Check("permissions", OK, "the portal is readable and writable")
    else:
        detail = f"{shut or portal} is not readable and writable"
        yield Check("permissions", FAIL, detail, f"Check its owner and permissions: ls -la {shell_words([portal])}")
    yield _settings(portal)
    yield from _repository(portal, deep)


def _shut(portal: Path) -> Path | None:
    """Return a file or folder of the portal that this user cannot read and write, or None."""
    try:
        return next((path for path in portal.iterdir() if not os.access(path, os.R_OK | os.W_OK)), None)
    except OSError:
        return portal


def _settings(portal: Path) -> Check:
    try:
        settings = load(portal).settings
    except ThresherError as error:
        return Check("settings", FAIL, error.sentence, error.remedy)
    if not settings.network.contact:
        remedy = f'To crawl the public web, set [network] contact = "you@example.org" in {portal}/thresher.toml'
        return Check("settings", WARN, "valid, but no contact is set", remedy)
    return Check("settings", OK, f"valid; contact {settings.network.contact}")


def _repository(portal: Path, deep: bool) -> Iterator[Check]:
    try:
        store = open_store(portal, read_only=True)
    except ThresherError as error:
        yield Check("repository", FAIL, error.sentence, error.remedy)
        return
    try:
        problems = store.check()
        crawl = latest_crawl(store)
        named, last = store.log.archived(), store.log.last_archived()
        index = _index(portal, store)
    finally:
        store.close()
    if problems:
        yield Check("repository", FAIL, problems[0], "Restore the repository from a backup, and keep the damaged one.")
    else:
        yield Check("repository", OK, "intact")
    yield index
    yield from _archive(portal, named, RecordPosition(*last) if last else None, deep)
    try:
        running = holder(portal)
    except ThresherError as error:
        yield Check("crawl", FAIL, error.sentence, error.remedy)
        return
    if running is not None:
        yield Check("crawl", OK, f"running in process {running.pid}")
    elif crawl is None:
        yield Check("crawl", OK, "none yet")
    else:
        yield Check("crawl", OK, f"{crawl.progress.pages:,} pages, {crawl.progress.queued:,} queued")


def _index(portal: Path, store: Store) -> Check:
    # It imports numpy, which nothing else here needs.
    from thresher.search.checking import check_index

    remedy = f"Rebuild it from the repository: {command('index', portal, '--rebuild')}"
    try:
        found = check_index(portal, store)
    except (ValueError, OSError) as error:
        return Check("index", FAIL, f"cannot be read: {error}", remedy)
    if found is None:
        return Check("index", OK, "none yet; the first search builds it")
    if not found.is_sound:
        detail = f"{found.lacking:,} pages missing, {found.surplus:,} too many, {found.twice:,} indexed twice"
        return Check("index", FAIL, detail, remedy)
    behind = f"; {found.behind:,} changes not indexed yet" if found.behind else ""
    return Check("index", OK, f"{found.pages:,} pages, matches the repository{behind}")


def _archive(portal: Path, named: Mapping[str, int], last: RecordPosition | None, deep: bool) -> Iterator[Check]:
    damaged = list(damaged_files(portal / ARCHIVE, named, last, deep=deep))
    for damage in damaged:
        lost = f"; {damage.lost:,} of {named.get(damage.file, damage.lost):,} responses lost" if damage.lost else ""
        detail = f"{damage.file}: {MEANING[damage.problem].rstrip('.')}{lost}"
        yield Check("archive", FAIL, detail, "Restore the file from a backup; crawls work without the lost part.")
    if not damaged:
        how = "all records read" if deep else "sizes and a sample checked"
        total = sum(named.values())
        files = "1 file" if len(named) == 1 else f"{len(named):,} files"
        yield Check("archive", OK, f"{total:,} responses in {files}, {how}" if total else "empty")

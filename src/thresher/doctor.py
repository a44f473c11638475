"""Examines the machine and a portal, and says what to do about what it finds."""

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
"""Free bytes below which the doctor warns."""


class Check(Struct, frozen=True):
    """One check: `state` is ok, warn or fail; `remedy` says what to do, empty where nothing need be done."""

    name: str
    state: str
    detail: str
    remedy: str = ""


def examine(portal: Path | None = None, *, deep: bool = False) -> list[Check]:
    """Return the checks of this machine and, where one is named, of a portal; `deep` reads its whole archive."""
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
    """Check the limit of open files, which a crawl raises by itself as far as it may, against what settings ask for."""
    try:
        settings = load(portal).settings
    except ThresherError:
        settings = load().settings
    wanted, workers = settings.engine.parallel, settings.engine.worker_number
    limit, enough = reachable(), needed(wanted, workers)
    parallel = fitting(limit, wanted, workers)
    if parallel == wanted:
        return Check("open files", OK, f"at most {limit:,}; a crawl needs {enough:,} at most")
    told = f"at most {limit:,}, which is enough to fetch {parallel} pages at once; engine.parallel is {wanted:,}"
    remedy = f"Raise the limit (ulimit -n {enough}), or lower engine.parallel."
    return Check("open files", WARN if parallel else FAIL, told, remedy)


def _disk(directory: Path) -> Check:
    there = next(parent for parent in (directory, *directory.absolute().parents) if parent.exists())
    free = shutil.disk_usage(there).free
    detail = f"{free / 1e9:,.1f} GB free at {there}"
    if free < ROOM:
        return Check("disk", WARN, detail, "A crawl pauses when the disk is full: make room.")
    return Check("disk", OK, detail)


def _portal(portal: Path, deep: bool) -> Iterator[Check]:
    backend = backend_of(portal)
    if backend is None:
        yield Check("portal", FAIL, f"{portal} is no portal", f"Make one: {command('new', portal, '--seeds', 'FILE')}")
        return
    shut = _shut(portal)
    if shut is None and backend.writable(portal):
        yield Check("permissions", OK, "the portal can be read and written")
    else:
        told = f"{shut or portal} cannot be read and written"
        yield Check("permissions", FAIL, told, f"Check who owns it and who may use it: ls -la {shell_words([portal])}")
    yield _settings(portal)
    yield from _repository(portal, deep)


def _shut(portal: Path) -> Path | None:
    """Return a file or folder of a portal that this user may not use, None where there is none."""
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
        remedy = f'Before you crawl the public web: [network] contact = "you@example.org" in {portal}/thresher.toml'
        return Check("settings", WARN, "in order, but no contact is set", remedy)
    return Check("settings", OK, f"in order; contact {settings.network.contact}")


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
        yield Check("repository", FAIL, problems[0], "Put back a copy of the repository; keep the damaged one.")
    else:
        yield Check("repository", OK, "sound")
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
    # It brings numpy, which nothing else here needs.
    from thresher.search.checking import check_index

    remedy = f"Build it again from the repository: {command('index', portal, '--rebuild')}"
    try:
        found = check_index(portal, store)
    except (ValueError, OSError) as error:
        return Check("index", FAIL, f"cannot be read: {error}", remedy)
    if found is None:
        return Check("index", OK, "none yet; the first search builds it")
    if not found.is_sound:
        told = f"lacks {found.lacking:,} pages, has {found.surplus:,} too many and {found.twice:,} twice"
        return Check("index", FAIL, told, remedy)
    behind = f"; {found.behind:,} changes are still to be followed" if found.behind else ""
    return Check("index", OK, f"{found.pages:,} pages, as in the repository{behind}")


def _archive(portal: Path, named: Mapping[str, int], last: RecordPosition | None, deep: bool) -> Iterator[Check]:
    damaged = list(damaged_files(portal / ARCHIVE, named, last, deep=deep))
    for damage in damaged:
        lost = f"; {damage.lost:,} of {named.get(damage.file, damage.lost):,} answers are lost" if damage.lost else ""
        told = f"{damage.file}: {MEANING[damage.problem].rstrip('.')}{lost}"
        yield Check("archive", FAIL, told, "Put the file back from a copy; a crawl goes on without what is lost.")
    if not damaged:
        how = "every record read" if deep else "sizes and a sample checked"
        total = sum(named.values())
        yield Check("archive", OK, f"{total:,} answers in {len(named)} files, {how}" if total else "no answers yet")

"""Examines the machine and a portal, and says what to do about what it finds."""

import os
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

from msgspec import Struct

from thresher import __version__
from thresher.config.load import load
from thresher.errors import ThresherError, command
from thresher.store.crawl_history import latest_crawl
from thresher.store.locks import holder
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


def examine(portal: Path | None = None) -> list[Check]:
    """Return the checks of this machine and, where one is named, of a portal."""
    checks = [*_machine(), _disk(portal or Path.cwd())]
    if portal is not None:
        checks += _portal(portal)
    return checks


def _machine() -> Iterator[Check]:
    python = ".".join(str(part) for part in sys.version_info[:3])
    yield Check("thresher", OK, f"{__version__} on Python {python}, {os.cpu_count()} cores")
    libraries = ("aiohttp", "selectolax", "msgspec", "pydantic")
    yield Check("libraries", OK, ", ".join(f"{name} {version(name)}" for name in libraries))
    for backend in BACKENDS:
        yield Check(backend.name, OK, backend.version())
    files = _open_files()
    if files < 1024:
        yield Check("open files", WARN, f"at most {files}", "Raise the limit: ulimit -n 4096")
    else:
        yield Check("open files", OK, f"at most {files:,}")


def _open_files() -> int:
    import resource

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def _disk(directory: Path) -> Check:
    there = next(parent for parent in (directory, *directory.absolute().parents) if parent.exists())
    free = shutil.disk_usage(there).free
    detail = f"{free / 1e9:,.1f} GB free at {there}"
    if free < ROOM:
        return Check("disk", WARN, detail, "A crawl pauses when the disk is full: make room.")
    return Check("disk", OK, detail)


def _portal(portal: Path) -> Iterator[Check]:
    backend = backend_of(portal)
    if backend is None:
        yield Check("portal", FAIL, f"{portal} is no portal", f"Make one: {command('new', portal, '--seeds', 'FILE')}")
        return
    if backend.writable(portal):
        yield Check("permissions", OK, "the portal can be written")
    else:
        yield Check("permissions", FAIL, "the portal cannot be written", f"Check who owns {portal}.")
    yield _settings(portal)
    yield from _repository(portal)


def _settings(portal: Path) -> Check:
    try:
        settings = load(portal).settings
    except ThresherError as error:
        return Check("settings", FAIL, error.sentence, error.remedy)
    if not settings.network.contact:
        remedy = f'Before you crawl the public web: [network] contact = "you@example.org" in {portal}/thresher.toml'
        return Check("settings", WARN, "in order, but no contact is set", remedy)
    return Check("settings", OK, f"in order; contact {settings.network.contact}")


def _repository(portal: Path) -> Iterator[Check]:
    try:
        store = open_store(portal, read_only=True)
    except ThresherError as error:
        yield Check("repository", FAIL, error.sentence, error.remedy)
        return
    try:
        problems = store.check()
        crawl = latest_crawl(store)
    finally:
        store.close()
    if problems:
        yield Check("repository", FAIL, problems[0], "Put back a copy of the repository; keep the damaged one.")
    else:
        yield Check("repository", OK, "sound")
    running = holder(portal)
    if running is not None:
        yield Check("crawl", OK, f"running in process {running.pid}")
    elif crawl is None:
        yield Check("crawl", OK, "none yet")
    else:
        yield Check("crawl", OK, f"{crawl.progress.pages:,} pages, {crawl.progress.queued:,} queued")

"""Portal directories: creation, settings file and topics."""

import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from thresher.config.load import FILE
from thresher.errors import InputError, PortalError, SettingsError, command
from thresher.faults import SettingsUnreadable
from thresher.file_rights import follow, make_private
from thresher.store.locks import edit_lock
from thresher.store.repository import open_store, require_name, require_portal
from thresher.taxonomy.seeds import Seeds, some_seeds
from thresher.taxonomy.topic_tree import Taxonomy
from thresher.taxonomy.topics_file import FILE as TOPICS
from thresher.taxonomy.topics_file import read_topics, write_topics
from thresher.work_faults import DemoEnded, TopicsUnreadable

SETTINGS = """\
# Settings of this portal; thresher config show lists all of them with their meaning.

[network]
# Webmasters see this in the User-Agent. A crawl of the public web needs it.
contact = "{contact}"
"""

DEMO = "demo.json"
"""Marks a portal created by `thresher demo`, whose web only exists while that process runs."""


class Created(Struct, frozen=True):
    """A new portal: how many start pages it has and which lines were invalid."""

    seeds: int
    problems: list[str]


def create_portal(
    directory: Path,
    seeds: str | None = None,
    topics: Taxonomy | None = None,
    *,
    contact: str = "",
    settings: str = "",
) -> Created:
    """Create a portal from the text of a seeds file and from topics; `settings` is more TOML for its settings file.

    An empty directory may exist already; for anything else that exists, PortalError is raised.
    """
    require_name(directory)
    read = some_seeds(seeds) if seeds is not None else Seeds([], [])
    try:
        if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
            raise PortalError(
                f"{directory} already exists and is not empty.", "Choose a directory that does not exist yet."
            )
        make_private(directory)
        _write(directory / FILE, SETTINGS.format(contact=contact) + settings)
        if topics is not None:
            _write(directory / TOPICS, write_topics(topics))
    except OSError as error:
        raise PortalError(
            f"{directory} cannot be created: {error.strerror}.", "Choose a directory you can write to."
        ) from None
    store = open_store(directory, create=True)
    try:
        store.start_urls.add([link.url for link in read.links], time.time())
        starts = dict.fromkeys(store.start_urls.urls() + start_pages(topics))
    finally:
        store.close()
    return Created(len(starts), read.problems)


def start_pages(topics: Taxonomy | None) -> list[str]:
    """Return the start URLs that come from topics."""
    return [url for url, _ in topics.start_urls()] if topics is not None else []


def load_topics(directory: Path) -> Taxonomy:
    """Return the topics of a portal; an empty tree if it has none."""
    require_portal(directory)
    file = directory / TOPICS
    try:
        if file.exists() and not file.is_file():
            raise InputError(
                f"{file} is not a file.", "Replace it with a topics file, or move it away.", TopicsUnreadable()
            )
        return read_topics(file.read_text("utf-8"), str(file)) if file.exists() else Taxonomy()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read: {error}.", "Save it as UTF-8.", TopicsUnreadable()) from None


@contextmanager
def editing_topics(directory: Path) -> Iterator[Taxonomy]:
    """Yield the current topics of a portal, locked against other edits until the block ends; save them inside it."""
    require_portal(directory)
    with edit_lock(directory):
        yield load_topics(directory)


def save_topics(directory: Path, topics: Taxonomy) -> None:
    """Write the topics of a portal atomically."""
    _replace(directory, TOPICS, write_topics(topics))


@contextmanager
def editing_settings(directory: Path) -> Iterator[str]:
    """Yield the text of a portal's settings file, empty if there is none; lock it until the block ends.

    Raises SettingsError if it cannot be read.
    """
    require_portal(directory)
    file = directory / FILE
    with edit_lock(directory):
        try:
            text = file.read_text("utf-8") if file.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"{file} cannot be read: {error}.", "Save it as UTF-8.", SettingsUnreadable()) from None
        yield text


def save_settings(directory: Path, text: str) -> None:
    """Write the settings file of a portal atomically."""
    _replace(directory, FILE, text)


def _replace(directory: Path, name: str, text: str) -> None:
    require_portal(directory)
    file = directory / name
    fresh = file.with_suffix(f".toml.{os.getpid()}-{threading.get_ident()}.new")
    try:
        _write(fresh, text)
        fresh.replace(file)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise PortalError(
            f"{file} cannot be written: {error.strerror}.", "Free some disk space, or check its permissions."
        ) from None


def _write(file: Path, text: str) -> None:
    """Write a file of a portal that others can never read, not even while it is being written."""
    with open(file, "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    follow(file)


def mark_demo(directory: Path, web: Mapping[str, Any]) -> None:
    """Mark a portal as a demo of this process over a generated web with these parameters."""
    (directory / DEMO).write_bytes(msgspec.json.encode({"web": web, "process": os.getpid()}))


def is_demo(directory: Path) -> bool:
    """Return whether a portal belongs to a demo."""
    return (directory / DEMO).exists()


def require_web(directory: Path) -> None:
    """Raise PortalError if a portal belongs to a demo and another process serves its web."""
    file = directory / DEMO
    if not file.exists():
        return
    try:
        served = msgspec.json.decode(file.read_bytes(), type=dict[str, Any]).get("process") == os.getpid()
    except (OSError, msgspec.DecodeError):
        served = False
    if not served:
        raise PortalError(
            f"The web of the demo {directory} is gone, so nothing can be fetched.",
            f"Start over: {command('demo', '--portal', directory)}",
            DemoEnded(),
        )

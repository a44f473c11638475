"""Portal directories: making one, and its settings file."""

import time
from pathlib import Path

from msgspec import Struct

from thresher.config.load import FILE
from thresher.crawl.seeds import read_seeds
from thresher.errors import InputError, PortalError
from thresher.store.sqlite.store import open_store

SETTINGS = """\
# Settings of this portal; thresher config show lists all of them with their meaning.

[network]
# Webmasters see this in the User-Agent. A crawl of the public web needs it.
contact = "{contact}"
"""


class Created(Struct, frozen=True):
    """A new portal: how many start pages it got and which lines were none."""

    seeds: int
    problems: list[str]


def create_portal(directory: Path, seeds: str | None = None, *, contact: str = "", settings: str = "") -> Created:
    """Make a portal from the text of a seeds file; `settings` is more TOML for its settings file.

    An empty directory is used as it is; anything else that exists is left alone, and PortalError is raised.
    """
    read = read_seeds(seeds or "")
    if seeds is not None and not read.links:
        wrong = f" ({read.problems[0]})" if read.problems else ""
        raise InputError(f"There is no start page in the seeds{wrong}.", "Write one http or https URL per line.")
    try:
        if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
            raise PortalError(
                f"{directory} exists already and is not empty.", "Name a directory that is not there yet."
            )
        directory.mkdir(parents=True, exist_ok=True)
        (directory / FILE).write_text(SETTINGS.format(contact=contact) + settings, "utf-8")
    except OSError as error:
        raise PortalError(
            f"{directory} cannot be made: {error.strerror}.", "Choose a directory you may write to."
        ) from None
    store = open_store(directory, create=True)
    try:
        store.start_urls.add([link.url for link in read.links], time.time())
    finally:
        store.close()
    return Created(len(read.links), read.problems)

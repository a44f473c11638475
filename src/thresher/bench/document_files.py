"""Files for measuring document reading: those of a folder, or generated ones of each kind."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from thresher.documents.formats.kinds import by_ending, by_type
from thresher.errors import InputError
from thresher.simweb.file_pages import file_of, form_of
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web

MAX_BYTES: Final = 20_000_000
"""Size limit of a file in bytes, as in a crawl."""


class File(NamedTuple):
    """A file to read: its name, its MIME type by suffix, and its content."""

    name: str
    mime: str
    body: bytes


def folder_files(folder: Path) -> Iterator[File]:
    """Yield the files in a folder and its subfolders whose suffix is that of a document, sorted."""
    if not folder.is_dir():
        raise InputError(
            f"{folder} is not a folder.", "Choose a folder with documents, or leave it out to use generated ones."
        )
    endings, kinds = by_ending(), by_type()
    for path in sorted(folder.rglob("*")):
        mime = endings.get(path.suffix.lower(), "")
        if mime in kinds and path.is_file() and not path.is_symlink() and 0 < path.stat().st_size <= MAX_BYTES:
            yield File(str(path.relative_to(folder)), mime, path.read_bytes())


def made_files(number: int, seed: int = 0) -> list[File]:
    """Return `number` files of a generated web: PDF, Word and ZIP."""
    web = Web(WebParameters(pages=max(200, 2 * number), hosts=20, seed=seed, profile="clean", documents=1.0))
    pages = [page for page in range(len(web.urls)) if form_of(web, page) != "html"][:number]
    return [File(web.urls[page], *file_of(web, page)) for page in pages]

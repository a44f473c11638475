"""The interface of a document measure."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from thresher.bench.document_files import File, folder_files, made_files

MADE = 100
"""Files that are made if no folder is named."""


class DocumentPlan(Struct, frozen=True, kw_only=True):
    """How much is measured: the files of a `folder` (made ones if it is None), how many `documents` a reader is
    watched over, and the `pages` of a generated web of which a `share` are files.
    """

    folder: Path | None = None
    documents: int = 1000
    pages: int = 1000
    share: float = 0.2

    def files(self) -> list[File]:
        """Return the files to read."""
        return list(folder_files(self.folder)) if self.folder is not None else made_files(MADE)


class DocumentMeasure(Struct, frozen=True):
    """A measure of reading documents; a file of this folder declares one by a value of this type.

    `measures` returns figures that can be written as JSON; `tells` says them in lines for a person.
    """

    name: str
    measures: Callable[[DocumentPlan], Any]
    tells: Callable[[Any], Sequence[str]]

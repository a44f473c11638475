"""The interface of a document measure."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from thresher.bench.document_files import File, folder_files, made_files

MADE = 100
"""Number of files to generate if no folder is given."""


class DocumentPlan(Struct, frozen=True, kw_only=True):
    """What to measure.

    The files come from a `folder`, or are generated if it is None; the memory of the reader is observed over
    `documents` documents; and the generated web has `pages` pages, of which a `share` are files.
    """

    folder: Path | None = None
    documents: int = 1000
    pages: int = 1000
    share: float = 0.2

    def files(self) -> list[File]:
        """Return the files to read."""
        return list(folder_files(self.folder)) if self.folder is not None else made_files(MADE)


class DocumentMeasure(Struct, frozen=True):
    """A measure of document reading; each file in this folder declares one as a value of this type.

    `measures` returns figures that can be encoded as JSON; `tells` formats them as lines of text.
    """

    name: str
    measures: Callable[[DocumentPlan], Any]
    tells: Callable[[Any], Sequence[str]]

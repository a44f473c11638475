"""Training pages as a data file: the bags of stems that strategies learn from, in every process."""

from pathlib import Path
from typing import Final

import msgspec

from thresher.errors import InputError
from thresher.learn.model_file import load, pack, unpack
from thresher.types import ParsedPage
from thresher.work_faults import ModelUnusable

KIND: Final = "examples"


class TrainingSet(msgspec.Struct, frozen=True):
    """The training pages of a classifier: a person's pages and archetypes.

    `right` says for each of the person's pages whether it was judged correctly while held out; it is empty if unknown.
    """

    examples: list[tuple[ParsedPage, str | None]]
    archetypes: list[tuple[ParsedPage, str | None]] = []
    right: list[bool] = []

    def all(self) -> list[tuple[ParsedPage, str | None]]:
        """Return all training pages."""
        return [*self.examples, *self.archetypes]


class _Example(msgspec.Struct, frozen=True, array_like=True):
    url: str
    topic: str | None
    terms: dict[str, int]
    archetype: bool = False
    right: bool | None = None
    language: str = ""


class _Header(msgspec.Struct, frozen=True):
    kind: str
    examples: list[_Example]


def pack_training_set(training_set: TrainingSet) -> bytes:
    """Return a training set as bytes: URL, topic, language and stems of each page."""
    rights: list[bool | None] = [*training_set.right] or [None] * len(training_set.examples)
    rows = [
        _Example(page.url, label, page.terms, False, right, page.language)
        for (page, label), right in zip(training_set.examples, rights, strict=True)
    ]
    rows += [
        _Example(page.url, label, page.terms, True, None, page.language) for page, label in training_set.archetypes
    ]
    return pack(msgspec.to_builtins(_Header(KIND, rows)), {})


def unpack_training_set(packed: bytes) -> TrainingSet:
    """Return the training set that was packed; raise InputError if the bytes are not one.

    >>> page = ParsedPage(url="http://a.test/", title="", words=[], links=[], terms={"boat": 1})
    >>> training_set = TrainingSet([(page, "Boats")], [(page, "Boats")], [True])
    >>> unpack_training_set(pack_training_set(training_set)) == training_set
    True
    """
    data, _ = unpack(packed)
    try:
        header = msgspec.convert(data, _Header)
        if header.kind != KIND:
            raise ValueError(f"kind {header.kind!r}")
    except (msgspec.ValidationError, ValueError) as error:
        raise InputError(
            f"The file does not contain training pages: {error}.", "Train the portal again.", ModelUnusable()
        ) from None
    own = [row for row in header.examples if not row.archetype]
    rights = [row.right for row in own if row.right is not None]
    return TrainingSet(
        [_page(row) for row in own],
        [_page(row) for row in header.examples if row.archetype],
        rights if len(rights) == len(own) else [],
    )


def _page(row: _Example) -> tuple[ParsedPage, str | None]:
    return ParsedPage(url=row.url, title="", words=[], links=[], terms=row.terms, language=row.language), row.topic


def examples_file(model: Path) -> Path:
    """Return the file next to a model with its training pages.

    >>> str(examples_file(Path("models/12ab.zip")))
    'models/12ab.examples.zip'
    """
    return model.with_suffix(".examples.zip")


def load_training_set(model: Path) -> TrainingSet:
    """Return the training set of a model file's classifier; raise InputError if it is missing."""
    return unpack_training_set(load(examples_file(model)))

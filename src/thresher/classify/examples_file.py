"""Training pages as data: the bags of stems that strategies learn from beside the model, in every process."""

from pathlib import Path
from typing import Final

import msgspec

from thresher.classify.examples import Examples
from thresher.errors import InputError
from thresher.learn.model_file import load, pack, unpack
from thresher.types import Page

KIND: Final = "examples"


class _Example(msgspec.Struct, frozen=True, array_like=True):
    url: str
    topic: str | None
    terms: dict[str, int]


class _Header(msgspec.Struct, frozen=True):
    kind: str
    examples: list[_Example]


def pack_examples(examples: Examples) -> bytes:
    """Return training pages as bytes: URL, topic and stems; words and links are left out."""
    rows = [_Example(page.url, topic, page.terms) for page, topic in examples]
    return pack(msgspec.to_builtins(_Header(KIND, rows)), {})


def unpack_examples(packed: bytes) -> list[tuple[Page, str | None]]:
    """Return the training pages that were packed; raises InputError where the bytes hold none.

    >>> page = Page(url="http://a.test/", title="", words=[], links=[], terms={"boat": 1})
    >>> unpack_examples(pack_examples([(page, "Boats")])) == [(page, "Boats")]
    True
    """
    data, _ = unpack(packed)
    try:
        header = msgspec.convert(data, _Header)
        if header.kind != KIND:
            raise ValueError(f"kind {header.kind!r}")
    except (msgspec.ValidationError, ValueError) as error:
        raise InputError(f"A file holds no training pages: {error}.", "Train the portal again.") from None
    return [(Page(url=row.url, title="", words=[], links=[], terms=row.terms), row.topic) for row in header.examples]


def examples_file(model: Path) -> Path:
    """Return the file beside a model's that holds its training pages.

    >>> str(examples_file(Path("models/12ab.zip")))
    'models/12ab.examples.zip'
    """
    return model.with_suffix(".examples.zip")


def load_examples(model: Path) -> list[tuple[Page, str | None]]:
    """Return the pages that the classifier of a model file was trained on; raises InputError where they are missing."""
    return unpack_examples(load(examples_file(model)))

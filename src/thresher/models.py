"""The models of a portal: a file in `models/`, complete on disk, and only then the row that names it."""

import time
from pathlib import Path
from typing import Final

from thresher.classify.examples import Examples
from thresher.classify.examples_file import pack_examples, unpack_examples
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.errors import InputError, PortalError, PortalFull
from thresher.learn.model_file import load, save
from thresher.portals import model_path
from thresher.store.protocol import Store
from thresher.store.records import ModelRow
from thresher.types import Page

KIND: Final = "hierarchical"


def save_model(portal: Path, store: Store, classifier: HierarchicalClassifier, examples: Examples) -> ModelRow:
    """Write a fitted classifier and its training pages, then the row that names them, and return it."""
    file = Path(model_path(portal, f"{classifier.version_}.zip"))
    try:
        save(_examples_file(file), pack_examples(examples))
        save(file, classifier.to_bytes())
    except OSError as error:
        kind = PortalFull if error.errno == 28 else PortalError
        raise kind(f"{file} cannot be written: {error.strerror}.", "Make room, or check its rights.") from None
    before = store.models.newest()
    row = ModelRow(file=file.name, kind=KIND, at=time.time(), step=before.step + 1 if before else 0)
    store.models.add(row)
    return row


def newest_model(portal: Path, store: Store) -> HierarchicalClassifier:
    """Return the newest classifier of a portal; raises InputError where it was never trained."""
    row = store.models.newest()
    if row is None:
        raise InputError(f"{portal} has not been trained.", f"Train it: thresher train {portal}")
    return load_model(Path(model_path(portal, row.file)))


def load_model(file: Path) -> HierarchicalClassifier:
    """Return the classifier of a model file; raises InputError where it is missing or damaged."""
    return HierarchicalClassifier.from_bytes(load(file))


def load_examples(file: Path) -> list[tuple[Page, str | None]]:
    """Return the pages that the classifier of a model file was trained on."""
    return unpack_examples(load(_examples_file(file)))


def _examples_file(file: Path) -> Path:
    return file.with_suffix(".examples.zip")

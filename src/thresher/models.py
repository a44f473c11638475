"""The models of a portal: a file in `models/`, complete on disk, and only then the row that names it."""

import errno
import time
from pathlib import Path
from typing import Final

from thresher.classify.examples import Examples
from thresher.classify.examples_file import examples_file, pack_examples
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.errors import InputError, PortalError, PortalFull
from thresher.learn.model_file import save
from thresher.portals import model_path, topics_digest_file
from thresher.store.protocol import Store
from thresher.store.records import ModelRow

KIND: Final = "hierarchical"


def save_model(
    portal: Path, store: Store, classifier: HierarchicalClassifier, examples: Examples, topics: str = ""
) -> ModelRow:
    """Write a fitted classifier and its training pages, then the row that names them, and return it.

    `topics` is a digest of the topics it was trained on.
    """
    file = Path(model_path(portal, f"{classifier.version_}.zip"))
    try:
        save(examples_file(file), pack_examples(examples))
        save(topics_digest_file(file), topics.encode("ascii"))
        save(file, classifier.to_bytes())
    except OSError as error:
        kind = PortalFull if error.errno == errno.ENOSPC else PortalError
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
    return HierarchicalClassifier.load(Path(model_path(portal, row.file)))

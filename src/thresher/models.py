"""The models of a portal: a file in `models/`, complete on disk, and only then the row that names it."""

import errno
from pathlib import Path
from typing import Any, Final

from thresher.classify.examples_file import TrainingSet, examples_file, pack_training_set
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.errors import InputError, PortalError, PortalFull, command
from thresher.learn.model_file import save
from thresher.store.protocol import Store
from thresher.store.records import ModelRow

KIND: Final = "hierarchical"

FOLDER: Final = "models"
"""Folder of a portal that holds its models."""


def save_model(
    portal: Path,
    store: Store,
    classifier: HierarchicalClassifier,
    training_set: TrainingSet,
    report: dict[str, Any] | None = None,
    *,
    at: float,
    topics: str = "",
    rolled_back: bool = False,
) -> ModelRow:
    """Write a fitted classifier and what it was fitted to, then the row that names them, and return it.

    `at` is wall time, `topics` a digest of the topics it was trained on. `report` tells of a round of retraining; a
    model that is `rolled_back` from the start is kept and not used.
    """
    file = Path(model_path(portal, f"{classifier.version_}.zip"))
    try:
        save(examples_file(file), pack_training_set(training_set))
        save(topics_digest_file(file), topics.encode("ascii"))
        save(file, classifier.to_bytes())
    except OSError as error:
        kind = PortalFull if error.errno == errno.ENOSPC else PortalError
        raise kind(f"{file} cannot be written: {error.strerror}.", "Make room, or check its rights.") from None
    steps = [model.step for model in store.models.all()]
    row = ModelRow(
        file=file.name,
        kind=KIND,
        at=at,
        step=max(steps, default=-1) + 1,
        report=report,
        rolled_back=rolled_back,
    )
    store.models.add(row)
    return row


def used_model(portal: Path, store: Store) -> ModelRow:
    """Return the row of the classifier that a portal uses; raises InputError where it was never trained."""
    row = store.models.newest()
    if row is None:
        raise InputError(f"{portal} has not been trained.", f"Train it: {command('train', portal)}")
    return row


def load_classifier(portal: Path, store: Store) -> HierarchicalClassifier:
    """Return the classifier that a portal uses; raises InputError where it was never trained."""
    return HierarchicalClassifier.load(Path(model_path(portal, used_model(portal, store).file)))


def newest_model(portal: Path, store: Store) -> tuple[str, str]:
    """Return name and path of the model file that a portal uses, both empty where it was never trained."""
    row = store.models.newest()
    return (row.file, model_path(portal, row.file)) if row else ("", "")


def model_path(portal: Path, name: str) -> str:
    """Return the path of a model file of a portal by its name, empty for the empty name.

    >>> model_path(Path("/tmp"), "")
    ''
    """
    return str((portal / FOLDER / Path(name).name).resolve()) if name else ""


def topics_digest_file(model: Path) -> Path:
    """Return the file beside a model's that holds the digest of its topics.

    >>> str(topics_digest_file(Path("models/12ab.zip")))
    'models/12ab.topics'
    """
    return model.with_suffix(".topics")

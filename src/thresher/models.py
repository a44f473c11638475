"""The models of a portal: each is a file in `models/`, written completely before the row that refers to it."""

import errno
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from thresher.classify.examples_file import TrainingSet, examples_file, pack_training_set
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.errors import InputError, PortalError, PortalFull, UsageError, command
from thresher.learn.model_file import save
from thresher.store.model_files import model_path, pricing_file, topics_digest_file
from thresher.store.protocol import Store
from thresher.store.records import Batch, EventRow, ModelRow
from thresher.work_faults import NothingToUndo, Untrained

KIND: Final = "hierarchical"


class Told(Struct, frozen=True):
    """What is logged about a new model besides its report: the kind of event, and details."""

    crawl: int
    kind: str
    detail: dict[str, Any] = {}


def save_model(
    portal: Path,
    store: Store,
    classifier: HierarchicalClassifier,
    training_set: TrainingSet,
    report: dict[str, Any] | None = None,
    *,
    at: float,
    topics: str = "",
    told: Told | None = None,
    pricing: HierarchicalClassifier | None = None,
) -> ModelRow:
    """Write a fitted classifier and its training data, then the row that refers to them, and return the row.

    `at` is wall time, `topics` a digest of the topics it was trained on. `report` describes what it learned from
    besides the user's pages. `told` is logged in the transaction that activates the model. Links are scored by
    `pricing` if given, else by the classifier itself.
    """
    file = write_model(portal, classifier, training_set, topics, pricing)
    return name_model(store, classifier.version_, file, report, at=at, told=told)


def write_model(
    portal: Path,
    classifier: HierarchicalClassifier,
    training_set: TrainingSet,
    topics: str,
    pricing: HierarchicalClassifier | None = None,
) -> str:
    """Write the files of a classifier, to which nothing refers yet, and return the name of the first."""
    file = Path(model_path(portal, f"{classifier.version_}.zip"))
    try:
        save(examples_file(file), pack_training_set(training_set))
        save(topics_digest_file(file), topics.encode("ascii"))
        if pricing is not None:
            save(pricing_file(file), pricing.to_bytes())
        save(file, classifier.to_bytes())
    except OSError as error:
        kind = PortalFull if error.errno == errno.ENOSPC else PortalError
        raise kind(
            f"{file} cannot be written: {error.strerror}.", "Free some disk space, or check its permissions."
        ) from None
    return file.name


def name_model(
    store: Store,
    version: str,
    file: str,
    report: dict[str, Any] | None = None,
    *,
    at: float,
    told: Told | None = None,
) -> ModelRow:
    """Activate a classifier whose files are complete, and return its row."""
    steps = [model.step for model in store.models.all()]
    row = ModelRow(file=file, kind=KIND, at=at, step=max(steps, default=-1) + 1, report=report)
    if told is None:
        store.models.add(row)
    else:
        detail = {**(report or {}), **told.detail, "model": version, "step": row.step}
        event = EventRow(at=at, kind=told.kind, detail=detail)
        store.commit(Batch(crawl=told.crawl, at=at, models=[row], events=[event]))
    return row


def used_model(portal: Path, store: Store) -> ModelRow:
    """Return the row of the portal's active classifier; raise InputError if the portal was never trained."""
    row = store.models.newest()
    if row is None:
        raise InputError(f"{portal} has not been trained.", f"Train it: {command('train', portal)}", Untrained())
    return row


def load_classifier(portal: Path, store: Store) -> HierarchicalClassifier:
    """Return the portal's active classifier; raise InputError if the portal was never trained."""
    return HierarchicalClassifier.load(Path(model_path(portal, used_model(portal, store).file)))


def newest_model(portal: Path, store: Store) -> tuple[str, str]:
    """Return name and path of the active model file, both empty if the portal was never trained."""
    row = store.models.newest()
    return (row.file, model_path(portal, row.file)) if row else ("", "")


def roll_back(portal: Path, store: Store, step: int | None = None) -> list[ModelRow]:
    """Deactivate all classifiers after a step, or only the newest for None; return those deactivated.

    Raises UsageError if the portal would be left without a classifier, InputError if there is no such step.
    """
    models = store.models.all()
    in_use = [row for row in models if not row.rolled_back]
    if step is None:
        if len(in_use) < 2:
            raise UsageError(
                "There is no round to roll back.", f"Train again: {command('train', portal)}", NothingToUndo()
            )
        step = in_use[-2].step
    if not any(row.step == step and not row.rolled_back for row in models):
        raise InputError(
            f"There is no step {step} to go back to.",
            f"See: {command('archetypes', portal, 'rounds')}",
            NothingToUndo(),
        )
    dropped = [row for row in in_use if row.step > step]
    store.models.roll_back([row.file for row in dropped])
    return dropped

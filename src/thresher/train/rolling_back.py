"""Rolling back: an earlier classifier of a portal comes into use again."""

from pathlib import Path

from thresher.errors import InputError, UsageError
from thresher.store.protocol import Store
from thresher.store.records import ModelRow


def back_to(portal: Path, store: Store, step: int | None = None) -> list[ModelRow]:
    """Take all classifiers after a step out of use, for None the newest one; return those that were.

    Raises UsageError where the portal would be left without a classifier, InputError where there is no such step.
    """
    models = store.models.all()
    in_use = [row for row in models if not row.rolled_back]
    if step is None:
        if len(in_use) < 2:
            raise UsageError("There is no round to roll back.", f"Train anew: thresher train {portal}")
        step = in_use[-2].step
    if not any(row.step == step and not row.rolled_back for row in models):
        raise InputError(f"There is no step {step} to go back to.", f"See: thresher archetypes {portal} rounds")
    dropped = [row for row in in_use if row.step > step]
    store.models.roll_back([row.file for row in dropped])
    return dropped

"""The steps of long-running work other than crawling, for progress reports."""

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct


class WorkStep(StrEnum):
    """The kind of work being done."""

    ESTIMATING = "estimating"
    LEARNING = "learning"
    JUDGING = "judging"
    COUNTING = "counting"
    GROUPING = "grouping"
    NAMING = "naming"
    FILTERING = "filtering"
    COMPARING = "comparing"
    INDEXING = "indexing"


class StepProgress(Struct, frozen=True):
    """The progress of a step: `done` of `total` parts, both 0 if unknown."""

    step: WorkStep
    done: int = 0
    total: int = 0


OnStep = Callable[[StepProgress], None]
"""Called with the progress of work; it may be called often, so it must be cheap."""


def nobody(_told: StepProgress) -> None:
    """Ignore the progress of work."""

"""The steps of long work other than crawling, for whoever waits for it."""

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct


class WorkStep(StrEnum):
    """What is being done."""

    ESTIMATING = "estimating"
    LEARNING = "learning"
    JUDGING = "judging"
    COUNTING = "counting"
    GROUPING = "grouping"
    NAMING = "naming"
    FILTERING = "filtering"
    COMPARING = "comparing"
    INDEXING = "indexing"


class StepTold(Struct, frozen=True):
    """How far a step has got: `done` of `total` parts, both 0 where nobody knows."""

    step: WorkStep
    done: int = 0
    total: int = 0


OnStep = Callable[[StepTold], None]
"""Is told how far work has got; it may be told often, so that it must be cheap."""


def nobody(_told: StepTold) -> None:
    """Leave untold how far work has got."""

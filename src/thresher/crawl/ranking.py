"""Asking a strategy for candidates, and telling its mistakes from ours."""

from typing import Any

from thresher.errors import PluginError
from thresher.protocols import Strategy, View
from thresher.types import Candidate, Reading


def ranked(strategy: Strategy, reading: Reading[Any], view: View) -> list[Candidate]:
    """Return the candidates a strategy makes of a page; raises PluginError where it fails or gives something else."""
    name = type(strategy).__name__
    try:
        found = list(strategy.rank(reading, view))
    except PluginError:
        raise
    except Exception as error:
        where = reading.candidate.url or "the start pages"
        raise PluginError(
            f"The strategy {name} failed to rank {where}: {error!r}.", "Correct its rank method."
        ) from error
    for candidate in found:
        if not isinstance(candidate, Candidate) or not _is_priority(candidate.priority):
            raise PluginError(
                f"The strategy {name} ranked a link with {candidate!r:.120}.",
                "rank must return candidates whose priority is a tuple of numbers.",
            )
    return found


def _is_priority(value: object) -> bool:
    """Tell whether a value can order a queue; one that is no number is neither above nor below any other."""
    return isinstance(value, tuple) and all(isinstance(part, int | float) and part == part for part in value)

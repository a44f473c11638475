"""Keeps archetypes from widening a topic: they show which pages belong to it, not how many.

The more pages teach a topic, the farther its classifier moves related pages away from everything else, and a border
that was right for a handful of examples lets them in. So a family is also learned without the archetypes, and with them
each child accepts no more of the unlabelled pages than without.
"""

from collections.abc import Sequence

import numpy as np

from thresher.classify.examples import Family
from thresher.classify.family_fitting import FittedFamily, fit_family
from thresher.classify.null_distances import Flags
from thresher.classify.sibling_space import SpaceParameters
from thresher.types import ParsedPage


def fit_restrained(
    family: Family, parameters: SpaceParameters, archetypes: Flags, met: Sequence[ParsedPage] = ()
) -> FittedFamily:
    """Learn to distinguish the children of a topic; `archetypes` among its pages must not widen them."""
    if not archetypes.any():
        return fit_family(family, parameters, met=met)
    if not family.members[~archetypes].any():
        return fit_family(family, parameters, archetypes, met)
    found = [page for page, taught in zip(family.pages, archetypes.tolist(), strict=True) if taught]
    alone = fit_family(family.some(np.flatnonzero(~archetypes)), parameters, met=[*met, *found])
    taken = (alone.met[: len(met)] > 0).sum(axis=0)
    # Without archetypes, nothing is known about a child for which a person gave no page.
    given = family.members[~archetypes].any(axis=0)
    most = np.where(given, taken, len(met))
    return fit_family(family, parameters, archetypes, met, most.tolist())

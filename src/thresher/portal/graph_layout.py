"""Lays out the crawl graph: topics apart, linked pages close together, no overlaps."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from scipy.spatial import cKDTree

Points = np.ndarray[Any, np.dtype[np.float64]]

_STEPS: Final = 80
_NEAR: Final = 8
_PULL: Final = 0.06
_HOME: Final = 0.04
_PUSH: Final = 0.5
_SEED: Final = 20_261_117


def laid_out(
    branches: Sequence[int], edges: Sequence[tuple[int, int]], known: dict[int, tuple[float, float]]
) -> Points:
    """Return a position for every page; `branches` are the numbers of their topics, `edges` pairs of pages.

    Pages with a known position (`known`, by index) keep it, so the picture stays the same over time.

    >>> laid_out([1, 1, 2], [(0, 1)], {0: (5.0, 5.0)})[0].tolist()
    [5.0, 5.0]
    """
    number = len(branches)
    if not number:
        return np.zeros((0, 2))
    random = np.random.default_rng(_SEED)
    homes = _homes(np.asarray(branches), number)
    places = homes + random.normal(scale=np.sqrt(number) / 4, size=(number, 2))
    fixed = np.zeros(number, dtype=bool)
    for index, place in known.items():
        places[index], fixed[index] = place, True
    if fixed.all():
        return places
    links = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
    degrees = np.maximum(np.bincount(links.ravel(), minlength=number), 1)[:, None]
    for step in range(_STEPS):
        moves = _HOME * (homes - places) + _pulled(places, links, degrees) + _pushed(places)
        moves[fixed] = 0.0
        places += moves * (1 - step / _STEPS)
    return places


def _homes(branches: "np.ndarray[Any, np.dtype[np.int64]]", number: int) -> Points:
    """Return the centre of each page's topic; topics lie on a circle, pages without a topic at its centre."""
    names = [branch for branch in np.unique(branches).tolist() if branch > 0]
    radius = 1.6 * np.sqrt(number) if len(names) > 1 else 0.0
    homes = np.zeros((number, 2))
    for place, branch in enumerate(names):
        angle = 2 * np.pi * place / len(names)
        homes[branches == branch] = radius * np.array([np.cos(angle), np.sin(angle)])
    return homes


def _pulled(places: Points, links: "np.ndarray[Any, np.dtype[np.int64]]", degrees: Points) -> Points:
    moves = np.zeros_like(places)
    if len(links):
        apart = places[links[:, 1]] - places[links[:, 0]]
        np.add.at(moves, links[:, 0], _PULL * apart)
        np.add.at(moves, links[:, 1], -_PULL * apart)
    return moves / degrees


def _pushed(places: Points) -> Points:
    """Return how far each page moves away from its nearest neighbours."""
    near = min(_NEAR + 1, len(places))
    if near < 2:
        return np.zeros_like(places)
    distances, neighbours = cKDTree(places).query(places, k=near)
    apart = places[:, None, :] - places[neighbours[:, 1:]]
    far = np.maximum(distances[:, 1:, None], 0.05)
    moves: Points = (_PUSH * apart / far**2 * np.maximum(0.0, 2.0 - far)).sum(axis=1)
    return np.clip(moves, -1.0, 1.0)

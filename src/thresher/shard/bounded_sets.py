"""Bounded sets: how many different things were met under a key, for the keys met last."""

from collections.abc import Mapping

import xxhash


class BoundedSets:
    """Different things under a key; `room` bounds the things in all, and the keys met longest ago are forgotten first.

    Keys and things are remembered by their hashes. They live in two generations: when the young one fills half of the
    room, the old one is forgotten. `learnt` counts the things under keys with more than one.

    >>> months = BoundedSets(100)
    >>> [months.add("a.test", month, limit=2) for month in ("May", "June", "May", "July")]
    [True, True, True, False]
    """

    def __init__(self, room: int) -> None:
        self._half = max(1, room // 2)
        # Most keys ever have one thing, and a number is much smaller than a set.
        self._young: dict[int, int | set[int]] = {}
        self._old: dict[int, int | set[int]] = {}
        self._weight = 0
        self.learnt = 0

    def add(self, key: str, thing: str, limit: int) -> bool:
        """Remember a thing; return False where the key has its `limit` of other things already."""
        place, number = _number(key), _number(thing)
        known = self._find(place)
        if known is None:
            self._put(place, number, 1)
            return True
        if known == number or (isinstance(known, set) and number in known):
            return True
        size = len(known) if isinstance(known, set) else 1
        if size >= limit:
            return False
        if isinstance(known, set):
            known.add(number)
        else:
            known = {known, number}
            self.learnt += 1
        self.learnt += 1
        self._put(place, known, 1)
        return True

    def count(self, key: str) -> int:
        """Return how many things are remembered under a key."""
        known = self._find(_number(key))
        return len(known) if isinstance(known, set) else int(known is not None)

    def saved(self) -> dict[int, list[int]]:
        """Return the keys with more than one thing, oldest first; a single one has not decided anything yet."""
        both = (*self._old.items(), *self._young.items())
        return {key: sorted(things) for key, things in both if isinstance(things, set)}

    def restore(self, saved: Mapping[int, list[int]]) -> None:
        """Take back what `saved` returned."""
        for key, things in saved.items():
            self._put(key, set(things), len(things))

    def _find(self, place: int) -> int | set[int] | None:
        if place not in self._young and place in self._old:
            known = self._old.pop(place)
            self._put(place, known, len(known) if isinstance(known, set) else 1)
        return self._young.get(place)

    def _put(self, place: int, things: int | set[int], grown: int) -> None:
        """Keep things; they weigh `grown` more than before."""
        if self._weight >= self._half:
            self._old, self._young, self._weight = self._young, {}, 0
        self._weight += grown
        self._young[place] = things


def _number(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode())

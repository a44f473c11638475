"""Checks that what a command printed has the shape that is documented for it."""

from collections.abc import Sequence
from typing import Any

import msgspec

from thresher.cli.json_shapes import SHAPES, VARIANTS


def check_shape(arguments: Sequence[str], printed: Any) -> None:
    """Raise AssertionError unless an object has exactly the keys and types of its command's shape."""
    names = (" ".join(arguments[:length]) for length in (3, 2, 1))
    name = next(name for name in names if name in SHAPES)
    kinds = SHAPES[name]
    words = VARIANTS.get(name, ("",))
    chosen = (place for place, word in enumerate(words) if place and set(word.split()) & set(arguments))
    kind = kinds[next(chosen, 0)]
    # Keys that a type does not have are dropped on the way.
    assert msgspec.json.decode(msgspec.json.encode(msgspec.convert(printed, kind))) == printed, name

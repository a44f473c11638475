"""Checks that what a command printed has the shape that is documented for it."""

from collections.abc import Sequence
from typing import Any

import msgspec

from thresher.cli.json_shapes import SHAPES, VARIANTS


def check_shape(arguments: Sequence[str], printed: Any) -> None:
    """Raise AssertionError unless an object has exactly the keys and types of its command's shape."""
    name = " ".join(arguments[:2]) if " ".join(arguments[:2]) in SHAPES else arguments[0]
    kinds = SHAPES.get(name)
    if kinds is None:
        return
    words = VARIANTS.get(name, ("",))
    chosen = (place for place, word in enumerate(words) if place and set(word.split()) & set(arguments))
    kind = kinds[next(chosen, 0)]
    # Keys that a type does not have are dropped on the way.
    assert msgspec.json.decode(msgspec.json.encode(msgspec.convert(printed, kind))) == printed, name

"""JSON text in columns."""

from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def encode(value: Any) -> str:
    """Return a value as JSON text.

    >>> encode({"n": 1})
    '{"n":1}'
    """
    return msgspec.json.encode(value).decode()


def decode(text: str, kind: type[T]) -> T:
    """Return the value of JSON text, checked against a type.

    >>> decode('{"n":1}', dict)
    {'n': 1}
    """
    return msgspec.json.decode(text, type=kind)

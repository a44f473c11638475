"""Makes strings storable: headers may decode to lone surrogates, which UTF-8 cannot encode."""

from enum import Enum
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")


def sound(value: T) -> T:
    """Return a copy of a struct, container or string in which every lone surrogate is a question mark.

    >>> sound({"server": "caf\\udce9"})
    {'server': 'caf?'}
    """
    copy: T = _sound(value)
    return copy


def _sound(value: Any) -> Any:
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Struct):
        return type(value)(**{name: _sound(getattr(value, name)) for name in value.__struct_fields__})
    if isinstance(value, dict):
        return {_sound(key): _sound(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_sound(part) for part in value)
    return value

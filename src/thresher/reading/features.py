"""Carries a strategy's features from the worker that read a page to the coordinator that ranks its links.

They are sent as MessagePack, even within one process, and decoded as the return type of the strategy's `read`: structs,
numbers, strings, lists of these. A `read` without an annotation gets plain data back.
"""

import typing
from functools import lru_cache
from typing import Any, Final

import msgspec

from thresher.errors import PluginError
from thresher.faults import StrategyFailed
from thresher.protocols import Strategy
from thresher.types import Judgement, ParsedPage

NONE: Final = b""
"""The features of a page that a strategy needs nothing from."""

_encode = msgspec.msgpack.Encoder().encode


def read_features(strategy: Strategy, page: ParsedPage, judgement: Judgement | None) -> bytes:
    """Return what a strategy reads from a page, packed; raise PluginError if it fails."""
    name = type(strategy).__name__
    try:
        found = strategy.read(page, judgement)
    except PluginError:
        raise
    except Exception as error:
        raise PluginError(
            f"The strategy {name} failed to read {page.url}: {error!r}.", "Fix its read method.", StrategyFailed()
        ) from error
    if found is None:
        return NONE
    try:
        return _encode(found)
    except (TypeError, ValueError, OverflowError) as error:
        raise PluginError(
            f"The features that the strategy {name} read from {page.url} cannot be serialised: {error}.",
            "Return msgspec structs, numbers, strings, or lists of these.",
            StrategyFailed(),
        ) from error


def unpacked(strategy: Strategy, features: bytes) -> Any:
    """Return packed features as the strategy's own type, None for none; raise PluginError if they do not fit.

    >>> class Lengths:
    ...     def read(self, page, judgement) -> tuple[int, ...]:
    ...         return tuple(len(link.url) for link in page.links)
    ...     def rank(self, reading, view):
    ...         return []
    >>> unpacked(Lengths(), msgspec.msgpack.encode([3, 5]))
    (3, 5)
    """
    if not features:
        return None
    kind = type(strategy)
    try:
        return _decoder(kind).decode(features)
    except msgspec.ValidationError as error:
        raise PluginError(
            f"The read method of {kind.__name__} does not return the type it declares: {error}.",
            "Fix the method or its return annotation.",
            StrategyFailed(),
        ) from error


@lru_cache(maxsize=64)
def _decoder(kind: type[Strategy]) -> msgspec.msgpack.Decoder[Any]:
    try:
        declared = typing.get_type_hints(kind.read).get("return", Any)
        return msgspec.msgpack.Decoder(declared)
    except (NameError, TypeError) as error:
        raise PluginError(
            f"The return annotation of {kind.__name__}.read cannot be used: {error}.",
            "Use a type that msgspec supports and that exists when the module is loaded.",
            StrategyFailed(),
        ) from error

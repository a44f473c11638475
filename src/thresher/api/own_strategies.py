"""Strategies passed as classes instead of names."""

import sys
from types import ModuleType
from typing import Final

from thresher.errors import PluginError
from thresher.protocols import Strategy

_MODULE: Final = "thresher_own_strategies"
"""Modules whose classes other processes cannot import: those of a notebook, a script or a function."""


def strategy_name(strategy: str | type[Strategy]) -> tuple[str, bool]:
    """Return the name of a strategy, and whether other processes can create it too.

    >>> strategy_name("random(seed=7)")
    ('random(seed=7)', True)
    """
    if isinstance(strategy, str):
        return strategy, True
    if not isinstance(strategy, type) or not issubclass(strategy, Strategy):
        raise PluginError(
            f"{getattr(strategy, '__name__', strategy)} is not a strategy.",
            "Give a name, or a class with the methods read and rank.",
        )
    module = sys.modules.get(strategy.__module__)
    if strategy.__module__ != "__main__" and getattr(module, strategy.__name__, None) is strategy:
        return f"{strategy.__module__}:{strategy.__name__}", True
    own = sys.modules.setdefault(_MODULE, ModuleType(_MODULE))
    setattr(own, strategy.__name__, strategy)
    return f"{_MODULE}:{strategy.__name__}", False

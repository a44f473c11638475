"""Parses parameters after a name, as in `hcla(k=50;n=25)`, and checks them against a function's signature."""

import contextlib
import difflib
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from thresher.errors import PluginError
from thresher.faults import StrategyUnknown

_SPEC: Final = re.compile(r"\s*([\w.:\-]+)\s*(?:\((.*)\))?\s*", re.DOTALL)


def parse(spec: str) -> tuple[str, dict[str, str]]:
    """Return the name and parameters of a plug-in given on the command line.

    >>> parse("hcla(k=50;n=25)")
    ('hcla', {'k': '50', 'n': '25'})
    """
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise PluginError(
            f"'{spec}' is not a valid name.",
            "Write it like 'random(seed=7)'; a shell needs the quotes.",
            StrategyUnknown(strategy=spec),
        )
    parameters: dict[str, str] = {}
    for part in (match[2] or "").split(";"):
        key, equals, value = part.partition("=")
        if equals:
            parameters[key.strip()] = value.strip()
        elif part.strip():
            raise PluginError(
                f"'{part.strip()}' in '{spec}' is not of the form name=value.",
                "Separate with ';'.",
                StrategyUnknown(strategy=spec),
            )
    return match[1], parameters


def written(name: str, parameters: Mapping[str, str]) -> str:
    """Return a name with its parameters, always in the same order.

    >>> written("hcla", {"n": "25", "k": "50"}), written("random", {})
    ('hcla(k=50;n=25)', 'random')
    """
    known = ";".join(f"{key}={parameters[key]}" for key in sorted(parameters))
    return f"{name}({known})" if known else name


def taken(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return the parameters of a function or of a constructor, with their types.

    >>> list(taken(written))
    ['name', 'parameters']
    """
    return dict(inspect.signature(function, eval_str=True).parameters)


def fitted(owner: str, parameters: Mapping[str, Any], free: Mapping[str, inspect.Parameter]) -> dict[str, Any]:
    """Check parameters against those that are `free`, and convert strings to their types.

    `owner` is used in messages, as in "strategy 'random'". Raises PluginError for an unknown or invalid parameter.
    """
    fitting: dict[str, Any] = {}
    for key, value in parameters.items():
        parameter = free.get(key)
        if parameter is None:
            remedy = did_you_mean(key, free) or f"It takes: {', '.join(free) or 'none'}."
            raise PluginError(f"The {owner} has no parameter '{key}'.", remedy, StrategyUnknown(strategy=owner))
        fitting[key] = _converted(owner, key, value, parameter.annotation)
    return fitting


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question that suggests the closest known name; empty if none is close.

    >>> did_you_mean("ramdom", ["random", "page"]), did_you_mean("x", ["random"])
    ("Did you mean 'random'?", '')
    """
    near = difflib.get_close_matches(name, list(known), 1, 0.4)
    return f"Did you mean '{near[0]}'?" if near else ""


def _converted(owner: str, key: str, value: Any, kind: Any) -> Any:
    """Convert a parameter to its annotated type, or guess the type if it has no annotation."""
    kinds = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    if kind is inspect.Parameter.empty:
        kinds = (bool, int, float, str)
    if not isinstance(value, str):
        fits = [k for k in kinds if isinstance(k, type) and isinstance(value, k)]
        if fits or (float in kinds and isinstance(value, int)):
            return value
    for wanted in kinds if isinstance(value, str) else ():
        if wanted is bool and value.lower() in ("true", "false"):
            return value.lower() == "true"
        if wanted in (int, float, str, Path):
            with contextlib.suppress(ValueError):
                return wanted(value)
    wish = " or ".join(getattr(k, "__name__", str(k)) for k in kinds)
    raise PluginError(
        f"The parameter {key} = {value!r} of the {owner} is invalid.",
        f"It must be of type {wish}.",
        StrategyUnknown(strategy=owner),
    )

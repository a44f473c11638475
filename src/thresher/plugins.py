"""The plug-ins that come with Thresher, and how users add their own.

A strategy is given by its short name, by a dotted path `package.module:Class` (a module in the working directory will
do), or by an entry point in the group `thresher.strategies`. Parameters follow in brackets, as in `random(seed=7)`, or
are set under `[strategy.NAME]` in the settings. They are checked against the constructor.
"""

import importlib
import inspect
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any, NamedTuple

from thresher.errors import PluginError
from thresher.faults import StrategyUnknown
from thresher.parameters import did_you_mean, fitted, parse, taken
from thresher.protocols import Strategy


class Plugin(NamedTuple):
    """What a name refers to: a class by its dotted path, and the parameters that the name fixes.

    `free` are the parameters a user may set, None for all of the constructor's; `meaning` is one sentence, taken from
    the class's docstring by default.
    """

    path: str
    fixed: Mapping[str, Any] = {}
    free: Sequence[str] | None = None
    meaning: str = ""


def _context(meaning: str, *free: str, **fixed: Any) -> Plugin:
    return Plugin("thresher.strategies.link_context:LinkContext", fixed, free, meaning)


def _order(order: str, meaning: str) -> Plugin:
    free = ("focus", "tunnel", "decay")
    return Plugin("thresher.strategies.orderings:ConfidenceOrder", {"order": order}, free, meaning)


def _shark(weights: str, meaning: str, *more: str) -> Plugin:
    free = ("query", "words", "decay", "parents", "terms", *more)
    return Plugin("thresher.strategies.shark_search:SharkSearch", {"weights": weights}, free, meaning)


def _window(size: int) -> Plugin:
    return _context(f"The topic's probability given the {size} words around the link.", context="window", size=size)


def _mixed_window(size: int) -> Plugin:
    meaning = f"beta · the page's probability + (1 - beta) · that of the {size} words around the link."
    return _context(meaning, "beta", context="window", size=size, combined=True)


STRATEGIES: dict[str, Plugin] = {
    "breadth-first": Plugin("thresher.strategies.unfocused:BreadthFirst"),
    "depth-first": Plugin("thresher.strategies.unfocused:DepthFirst"),
    "random": Plugin("thresher.strategies.unfocused:Random"),
    "classifier": _order("classifier", "The confidence of the linking page in its topic."),
    "classifier-breadth": _order(
        "classifier-breadth", "That confidence divided by the number of hops from the start pages."
    ),
    "classifier-depth": _order("classifier-depth", "That confidence times the number of hops from the start pages."),
    "bookmark": _order(
        "bookmark", "The confidence of the start page that led here, divided by the number of hops from it."
    ),
    "page": _context("The topic's probability given the whole linking page.", context="page"),
    "window-10": _window(10),
    "window-20": _window(20),
    "window-40": _window(40),
    "tag-tree": _context(
        "The topic's probability given the text of the element around the link.",
        *("size", "least", "plain"),
        context="tag-tree",
    ),
    "window-10-combined": _mixed_window(10),
    "window-20-combined": _mixed_window(20),
    "window-40-combined": _mixed_window(40),
    "tag-tree-combined": _context(
        "beta · the page's probability + (1 - beta) · that of the element around the link.",
        *("beta", "size", "least", "plain"),
        context="tag-tree",
        combined=True,
    ),
    "best-first": Plugin("thresher.strategies.best_first:BestFirst"),
    "url-keywords": Plugin("thresher.strategies.url_keywords:UrlKeywords"),
    "link-classifier": Plugin("thresher.strategies.link_classifier:LinkClassifier"),
    "backlinks": Plugin("thresher.strategies.backlinks:BackLinks"),
    "pagerank": Plugin("thresher.strategies.pagerank_order:PageRankOrder"),
    "shark-1": _shark(
        "cosine", "How much the pages on the path contain of the topic's words, decaying with each click."
    ),
    "shark-2": _shark("bm25", "The same, with BM25 weights from the examples that contain those words.", "retrieved"),
    "hcla": Plugin("thresher.strategies.hcla:Hcla"),
    "phits": Plugin("thresher.strategies.phits:Phits"),
    "context-graph": Plugin("thresher.strategies.context_graph:ContextGraph"),
    "hmm": Plugin("thresher.strategies.browsing_hmm:BrowsingHmm"),
    "websites": Plugin("thresher.strategies.websites.strategy:Websites"),
    "site-sample": Plugin("thresher.strategies.websites.sample:SiteSample"),
    "query": Plugin("thresher.strategies.query:QueryScorer"),
    "default": Plugin("thresher.strategies.learned:LearnedScorer"),
}

GROUP = "thresher.strategies"


def strategy_names() -> list[str]:
    """Return the names of all registered strategies, built-in ones first."""
    return [*STRATEGIES, *sorted(point.name for point in entry_points(group=GROUP) if point.name not in STRATEGIES)]


def strategy_class(name: str) -> type:
    """Return the class that a strategy name or dotted path refers to."""
    path = STRATEGIES[name].path if name in STRATEGIES else None
    if path is None:
        path = next((point.value for point in entry_points(group=GROUP) if point.name == name), None)
    if path is None and ":" in name:
        path = name
    if path is None:
        remedy = did_you_mean(name, strategy_names()) or f"There are: {', '.join(strategy_names())}."
        raise PluginError(f"There is no strategy '{name}'.", remedy, StrategyUnknown(strategy=name))
    module, _, attribute = path.partition(":")
    if path is name and "" not in sys.path:
        # Users' modules are imported from the working directory, as with `python -m`.
        sys.path.insert(0, "")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise PluginError(
            f"The plug-in '{path}' cannot be imported: {error}.",
            "Check its dotted path.",
            StrategyUnknown(strategy=path),
        ) from None
    if not isinstance(found, type):
        raise PluginError(
            f"The plug-in '{path}' is not a class.", "Write it as package.module:Class.", StrategyUnknown(strategy=path)
        )
    return found


def meaning(name: str) -> str:
    """Return what a strategy does, in one sentence.

    >>> meaning("window-10")
    "The topic's probability given the 10 words around the link."
    """
    own = STRATEGIES[name].meaning if name in STRATEGIES else ""
    return own or (strategy_class(name).__doc__ or "").strip().partition("\n")[0]


def free_parameters(name: str) -> dict[str, inspect.Parameter]:
    """Return the parameters of a strategy that users may set: those of its constructor that its name does not fix.

    >>> [f"{key}={parameter.default}" for key, parameter in free_parameters("window-10-combined").items()]
    ['beta=0.25']
    """
    known = taken(strategy_class(name))
    free = STRATEGIES[name].free if name in STRATEGIES else None
    return {key: known[key] for key in (known if free is None else free)}


def same_kind(one: str, other: str) -> bool:
    """Return whether two strategies have the same class, which makes their memos compatible.

    >>> same_kind("classifier-breadth(focus=sharp)", "classifier"), same_kind("classifier", "page")
    (True, False)
    """
    return strategy_class(parse(one)[0]) is strategy_class(parse(other)[0])


def make_strategy(spec: str, settings: Mapping[str, Mapping[str, Any]] | None = None) -> Strategy:
    """Return a strategy created from its name, the settings under that name and the parameters in brackets.

    >>> make_strategy("random(seed=7)").seed
    7
    """
    name, written = parse(spec)
    kind = strategy_class(name)
    if not issubclass(kind, Strategy):
        raise PluginError(
            f"'{name}' is not a strategy.",
            "It needs the methods read and rank; see docs/CONTRIBUTING.md.",
            StrategyUnknown(strategy=name),
        )
    parameters = {**dict((settings or {}).get(name, {})), **written}
    plugin = STRATEGIES.get(name, Plugin(name))
    try:
        return kind(**fitted(f"strategy '{name}'", parameters, free_parameters(name)), **plugin.fixed)
    except (TypeError, ValueError) as error:
        raise PluginError(
            f"The strategy '{name}' cannot be created: {error}.",
            "Check its parameters.",
            StrategyUnknown(strategy=name),
        ) from error

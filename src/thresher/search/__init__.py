"""Searching what a portal has stored; start with `Searcher`.

>>> from thresher.search import Searcher
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thresher.search.results import SearchResults
    from thresher.search.searcher import Searcher

__all__ = ["SearchResults", "Searcher"]


def __getattr__(name: str) -> Any:
    """Import the public names when they are used: commands that only look things up load no numpy."""
    if name == "Searcher":
        from thresher.search.searcher import Searcher

        return Searcher
    if name == "SearchResults":
        from thresher.search.results import SearchResults

        return SearchResults
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Search of the pages that a portal has stored; start with `Searcher`.

>>> from thresher.search import Searcher
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thresher.search.results import SearchResults
    from thresher.search.searcher import Searcher

__all__ = ["SearchResults", "Searcher"]


def __getattr__(name: str) -> Any:
    """Import public names on first use, so commands that do not search never load numpy."""
    if name == "Searcher":
        from thresher.search.searcher import Searcher

        return Searcher
    if name == "SearchResults":
        from thresher.search.results import SearchResults

        return SearchResults
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Searching a portal: the door of this package."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from thresher.search.results import Neighbours, SearchResults

Ranking = str | Mapping[str, float]
"""Weights by the names of parts, or the same as text: `text=1,authority=0.5`."""


class Searcher:
    """Searches one portal. Any number of threads may share one; close it when done.

    A search first brings the index up to date, unless another process is doing that. `portal` is the directory.
    """

    def __init__(self, portal: Path | str) -> None:
        self._portal = Path(portal)

    def search(
        self,
        query: str = "",
        *,
        rank: Ranking | None = None,
        number: int = 10,
        page: int = 1,
        facets: bool = False,
        within: str | Sequence[str] = (),
        fold: bool = True,
        relevant: Sequence[str] = (),
        irrelevant: Sequence[str] = (),
        profile: str = "",
    ) -> SearchResults:
        """Return the best pages for a query; no query is an error, and the empty one lists the portal, best first.

        `rank` are the weights of the ranking, the default where it is None. `number` is the number of results on a
        `page`, which counts from 1. `within` are earlier queries whose results this one searches. `fold` shows at
        most two pages of a site, and one of those with nearly the same text. `relevant` and `irrelevant` are URLs the
        person has judged: the weights are fitted to them, and kept under the name of a `profile`.
        Raises InputError for a ranking that names no part.
        """
        raise NotImplementedError

    def similar(self, url: str, *, number: int = 10) -> SearchResults:
        """Return the pages most similar to a stored page, the page itself and its near-duplicates left out.

        Raises InputError where the portal has no such page.
        """
        raise NotImplementedError

    def neighbours(self, url: str, *, number: int = 100) -> Neighbours:
        """Return at most `number` pages that link to a page, and as many that it links to.

        Raises InputError where the portal knows no such page.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Give the index and the store back; safe to call twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

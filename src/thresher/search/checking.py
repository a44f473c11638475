"""Check that the index holds the same pages as the repository."""

from collections import Counter
from pathlib import Path

from msgspec import Struct

from thresher.search import text_index
from thresher.search.text_index import FOLDER, TextIndex
from thresher.store.protocol import Store


class IndexCheck(Struct, frozen=True):
    """Differences between an index and its repository: missing pages, surplus pages, duplicates.

    `behind` counts repository changes that are not indexed yet. The next search indexes them, so they are not errors.
    """

    pages: int
    lacking: int
    surplus: int
    twice: int
    behind: int

    @property
    def is_sound(self) -> bool:
        """Whether index and repository agree."""
        return not (self.lacking or self.surplus or self.twice)


def check_index(portal: Path, store: Store) -> IndexCheck | None:
    """Compare the index of a portal with its repository; return None if there is no index.

    Raises ValueError if the index cannot be read.
    """
    state = text_index.state_of(portal)
    if state is None:
        return None
    searcher = TextIndex(portal / FOLDER / state.folder).searcher()
    mark, last = text_index.mark_of(searcher), store.log.last()
    held = Counter(text_index.all_ids(searcher))
    wanted: set[int] = set()
    unseen: set[int] = set()
    for block in store.search_feed.pages(0):
        wanted |= {page.id for page in block if page.searchable}
        unseen |= {page.id for page in block if page.seq > mark}
    return IndexCheck(
        pages=len(held),
        lacking=len(wanted - held.keys() - unseen),
        surplus=len(held.keys() - wanted - unseen),
        twice=sum(number > 1 for number in held.values()),
        behind=max(0, last - mark),
    )

"""A list of pages as a bookmark file that browsers import, with a folder for each topic."""

from collections.abc import Iterable, Iterator

from thresher.store.page_records import AcceptedPage
from thresher.taxonomy.to_bookmarks import to_bookmarks
from thresher.taxonomy.topic_tree import Path, Taxonomy, Topic, TrainingPage, parsed, put


def bookmark_lines(pages: Iterable[AcceptedPage]) -> Iterator[str]:
    """Yield the lines of a bookmark file in the Netscape format."""
    folders: dict[Path, list[TrainingPage]] = {}
    for page in pages:
        folders.setdefault(parsed(page.topic), []).append(TrainingPage(page.url, page.title, added=int(page.found)))
    tree = Taxonomy()
    # Parents come before their children, which `put` would otherwise replace.
    for path, found in sorted(folders.items()):
        tree = put(tree, path, Topic(name="", pages=tuple(found)))
    yield from to_bookmarks(tree).splitlines(keepends=True)

"""Reports problems of a bookmark file: a few sentences of each kind, however large the file is."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from thresher.taxonomy.shelves import MAX_DEPTH, BookmarkFile
from thresher.taxonomy.topic_tree import MAX_NAME, Path, Taxonomy, written

SHOWN: Final = 5
"""Maximum number of sentences of one kind to show; the rest are counted."""

LISTED: Final = 20
"""Maximum number of names in one sentence; the rest are counted."""


def listed(names: Sequence[str]) -> str:
    """Return names separated by commas; of many, only the first, and the number of the rest.

    >>> listed(["a", "b"]), listed(["x"] * 30)[-18:]
    ('a, b', 'x, x and 10 others')
    """
    rest = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {rest} others" if rest > 0 else "")


def shortened(sentences: list[str], rest: str) -> list[str]:
    """Return the first sentences of a kind and one that counts the others; `rest` describes them.

    >>> shortened([f"{n} is odd." for n in (1, 3, 5, 7, 9, 11, 13)], "numbers are odd")[-2:]
    ['9 is odd.', '2 more numbers are odd.']
    """
    if len(sentences) <= SHOWN + 1:
        return sentences
    return [*sentences[:SHOWN], f"{len(sentences) - SHOWN:,} more {rest}."]


def no_web_pages(schemes: Counter[str]) -> list[str]:
    """Return a sentence about entries that are not web pages, if there are any.

    >>> no_web_pages(Counter({"place": 2}))
    ['2 entries are not web pages and were left out (place).']
    """
    number = sum(schemes.values())
    if not number:
        return []
    verb = "entry is not a web page and was" if number == 1 else "entries are not web pages and were"
    return [f"{number} {verb} left out ({listed(sorted(schemes))})."]


def shared_pages(taxonomy: Taxonomy) -> list[str]:
    """Return sentences about pages in two topics, neither of which is inside the other."""
    places: dict[str, Path] = {}
    told: list[str] = []
    for path, topic in taxonomy.walk():
        for page in topic.pages:
            first = places.setdefault(page.url, path)
            if first != path[: len(first)]:
                told.append(f"{page.url} is in {_short(first)} and in {_short(path)}.")
    return shortened(told, "pages are in two topics")


def cut_folders(shelf: BookmarkFile) -> list[str]:
    """Return sentences about folder names that were cut and folders nested too deeply to be topics."""
    told: list[str] = []
    long = sum(len(folder.name) > MAX_NAME for folder in shelf.folders)
    if long:
        subject = "name of a folder is" if long == 1 else "names of folders are"
        told.append(f"{long} {subject} longer than {MAX_NAME:,} characters and cut there.")
    if shelf.too_deep:
        subject = "folder lies" if shelf.too_deep == 1 else "folders lie"
        told.append(
            f"{shelf.too_deep:,} {subject} deeper than {MAX_DEPTH} levels: their pages belong to the topic above."
        )
    return told


def _short(path: Path) -> str:
    text = written(path)
    return text if len(text) <= 200 else f"{text[:200]}..."

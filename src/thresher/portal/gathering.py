"""Turns the input for a new portal (a bookmark file, links or words) into topics."""

import re
from typing import Final

from thresher.errors import InputError
from thresher.taxonomy.from_bookmarks import from_bookmarks
from thresher.taxonomy.seeds import read_seeds
from thresher.taxonomy.shelves import tidy
from thresher.taxonomy.topic_tree import (
    Path,
    Taxonomy,
    Topic,
    TrainingPage,
    distinct,
    from_query,
    moved,
    name_of,
    put,
    without,
)

MAX_TOPICS: Final = 2000
_LINK: Final = re.compile(r"\s*[a-zA-Z][a-zA-Z0-9+.-]*:|\s*(www\.|\S+\.\w{2,}(/|\s*$))")


def from_links(text: str, name: str) -> Taxonomy:
    """Return the topics in a text with one link per line; other lines name the topic of the links that follow.

    Links before the first name belong to a topic called `name`.

    >>> tree = from_links("http://a.test/\\nBoats\\nb.test", "Mine")
    >>> [(path, [page.url for page in topic.pages]) for path, topic in tree.walk()]
    [(('Mine',), ['http://a.test/']), (('Boats',), ['https://b.test/'])]
    """
    topics: dict[str, list[str]] = {}
    current = name_of(name)
    for line in text.splitlines():
        if not line.strip():
            continue
        if _LINK.match(line):
            topics.setdefault(current, []).extend(link.url for link in read_seeds(line).links)
        else:
            current = name_of(line)
            topics.setdefault(current, [])
    tree = Taxonomy()
    for topic, urls in topics.items():
        tree = put(tree, (topic,), Topic(name="", pages=distinct([TrainingPage(url) for url in urls])))
    return tree


def gathered(file: bytes, file_name: str, links: str, words: str, name: str) -> Taxonomy:
    """Return the topics from all inputs, or an empty tree if there is nothing usable."""
    tree = Taxonomy()
    if file:
        try:
            tree = added(tree, from_bookmarks(file, file_name.rpartition(".")[0] or name).taxonomy)
        except InputError:
            # Accept a plain list of links too.
            tree = added(tree, from_links(file.decode("utf-8-sig", "replace"), name))
    if links.strip():
        tree = added(tree, from_links(links, name))
    for line in words.splitlines():
        if tidy(line):
            tree = added(tree, from_query(line))
    return tree


def added(tree: Taxonomy, more: Taxonomy) -> Taxonomy:
    """Return a tree with the topics of another one added; the pages of common topics are merged."""
    for path, topic in more.walk():
        known = tree.get(path)
        if known is None:
            tree = put(tree, path, Topic(name="", pages=topic.pages, others=topic.others, query=topic.query))
        else:
            pages = distinct([*known.pages, *topic.pages])
            kept = Topic(
                name="",
                pages=pages,
                others=distinct([*known.others, *topic.others]),
                children=known.children,
                query=known.query or topic.query,
                note=known.note,
            )
            tree = put(tree, path, kept)
    return Taxonomy(tree.root, distinct([*tree.seeds, *more.seeds]))


def tidied(tree: Taxonomy, names: dict[Path, str], dropped: set[Path]) -> tuple[Taxonomy, list[tuple[Path, Path]]]:
    """Return a tree with some topics renamed and some removed, and the paths before and after each rename, in order.

    A topic whose new name is already taken keeps its old one.
    """
    renamed: list[tuple[Path, Path]] = []
    for path in sorted(dropped, key=len, reverse=True):
        if tree.get(path) is not None:
            tree = without(tree, path)
    for path in sorted(names, key=len, reverse=True):
        to = (*path[:-1], name_of(names[path]))
        if names[path].strip() and to != path and tree.get(path) is not None and tree.get(to) is None:
            tree = moved(tree, path, to)
            renamed.append((path, to))
    return tree, renamed

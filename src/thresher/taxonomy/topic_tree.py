"""The topic tree: topics with their training pages. Trees are immutable; edits return a new one."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from thresher.errors import InputError
from thresher.faults import NoTopic, TopicExists, TopicIntoItself, TopicTooDeep
from thresher.taxonomy.shelves import MAX_DEPTH, tidy

OTHERS: Final = "others"
"""Name, in any case, of the folder whose pages are negative examples for its parent."""

MAX_NAME: Final = 1000
"""Maximum length in characters of a topic name; longer ones are cut."""

Path = tuple[str, ...]


class TrainingPage(Struct, frozen=True):
    """A page given as an example: an http(s) URL, or a file URL for a local document.

    `without` are the digests of its passages that do not belong to the topic.
    """

    url: str
    title: str = ""
    added: int | None = None
    note: str = ""
    tags: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


class Topic(Struct, frozen=True, kw_only=True):
    """A topic; `others` are pages that belong to none of its children.

    `indicators` are words; a page of the topic must have some of them; `languages` are ISO codes, empty for all;
    `query` is a text that counts as a training page (expert search); `added` is when its folder was created, in seconds
    since the epoch. `good` are words that identify the topic, `bad` words that do not help to identify it.
    """

    name: str
    pages: tuple[TrainingPage, ...] = ()
    others: tuple[TrainingPage, ...] = ()
    children: tuple["Topic", ...] = ()
    indicators: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    query: str = ""
    note: str = ""
    added: int | None = None
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()

    def child(self, name: str) -> "Topic | None":
        """Return the child with a name, or None."""
        return next((child for child in self.children if child.name == name), None)


class Taxonomy(Struct, frozen=True):
    """All topics of a portal under an unnamed root; `seeds` are start pages that belong to no topic."""

    root: Topic = Topic(name="")
    seeds: tuple[TrainingPage, ...] = ()

    def walk(self) -> Iterator[tuple[Path, Topic]]:
        """Yield every topic but the root with its path, parents before children."""
        waiting: list[tuple[Path, Topic]] = [((child.name,), child) for child in reversed(self.root.children)]
        while waiting:
            path, topic = waiting.pop()
            yield path, topic
            waiting += [((*path, child.name), child) for child in reversed(topic.children)]

    def get(self, path: Path) -> Topic | None:
        """Return the topic at a path, the root for the empty path, or None."""
        topic: Topic | None = self.root
        for name in path:
            topic = topic.child(name) if topic is not None else None
        return topic

    def start_urls(self) -> list[tuple[str, str | None]]:
        """Return the start URLs of a crawl as (URL, written path of its topic or None), each URL once."""
        found: dict[str, str | None] = {}
        for path, topic in self.walk():
            for page in topic.pages:
                found.setdefault(page.url, written(path))
        for page in self.seeds:
            found.setdefault(page.url, None)
        return [(url, topic) for url, topic in found.items() if url.startswith(("http:", "https:"))]


def written(path: Sequence[str]) -> str:
    """Return a path as people write it, with slashes inside names escaped.

    >>> written(("Science", "TCP/IP"))
    'Science/TCP%2FIP'
    """
    return "/".join(name.replace("%", "%25").replace("/", "%2F") for name in path)


def parsed(text: str) -> Path:
    """Parse a written path.

    >>> parsed("Science/TCP%2FIP")
    ('Science', 'TCP/IP')
    """
    return tuple(name.replace("%2F", "/").replace("%2f", "/").replace("%25", "%") for name in text.split("/") if name)


def name_of(text: str) -> str:
    """Return a text as a valid topic name.

    >>> name_of("  Tea \\n and  cake ")
    'Tea and cake'
    """
    return tidy(text)[:MAX_NAME].strip() or "unnamed"


def from_query(query: str) -> Taxonomy:
    """Return one topic whose training page is a query.

    >>> from_query("free ARIES recovery").root.children[0].name
    'free ARIES recovery'
    """
    if not tidy(query):
        raise InputError("The query is empty.", "Write the words to search for.")
    return put(Taxonomy(), (name_of(query),), Topic(name="", query=tidy(query)))


def put(taxonomy: Taxonomy, path: Path, topic: Topic) -> Taxonomy:
    """Return the tree with a topic at a path, replacing what was there; missing parents are created."""
    if len(path) > MAX_DEPTH:
        raise InputError(
            f"The topic {written(path)[:80]}... is nested too deeply.",
            f"At most {MAX_DEPTH} levels are allowed.",
            TopicTooDeep(most=MAX_DEPTH),
        )
    return replace(taxonomy, root=_put(taxonomy.root, path, topic))


def _put(parent: Topic, path: Path, topic: Topic) -> Topic:
    if not path:
        return topic
    name, rest = path[0], path[1:]
    present = parent.child(name) or Topic(name=name)
    changed = replace(_put(present, rest, topic), name=name) if rest else replace(topic, name=name)
    if parent.child(name) is None:
        return replace(parent, children=(*parent.children, changed))
    return replace(parent, children=tuple(changed if child.name == name else child for child in parent.children))


def without(taxonomy: Taxonomy, path: Path) -> Taxonomy:
    """Return the tree without a topic and all below it."""
    found(taxonomy, path)
    parent = found(taxonomy, path[:-1])
    kept = replace(parent, children=tuple(child for child in parent.children if child.name != path[-1]))
    return replace(taxonomy, root=kept) if len(path) == 1 else put(taxonomy, path[:-1], kept)


def moved(taxonomy: Taxonomy, path: Path, to: Path) -> Taxonomy:
    """Return the tree with a topic at another path: renamed or moved."""
    topic = found(taxonomy, path)
    if to[: len(path)] == path and to != path:
        raise InputError(
            f"{written(path)} cannot be moved into itself.",
            "Choose another place.",
            TopicIntoItself(topic=written(path)),
        )
    if taxonomy.get(to) is not None:
        raise InputError(
            f"There is already a topic {written(to)}.",
            "Merge the two, or choose another name.",
            TopicExists(topic=written(to)),
        )
    return put(without(taxonomy, path), to, replace(topic, name=to[-1]))


def merged(taxonomy: Taxonomy, path: Path, into: Path) -> Taxonomy:
    """Return the tree with the pages and children of one topic added to another."""
    topic, target = found(taxonomy, path), found(taxonomy, into)
    if into[: len(path)] == path:
        raise InputError(
            f"{written(path)} cannot be merged into itself.",
            "Choose another topic.",
            TopicIntoItself(topic=written(path)),
        )
    return put(without(taxonomy, path), into, _united(replace(target, name=into[-1]), topic, after=path, into=into))


def _united(target: Topic, topic: Topic, after: Path, into: Path) -> Topic:
    # A topic that is merged into its parent is no longer one of its children.
    own = tuple(child for child in target.children if (*into, child.name) != after)
    united = replace(
        target,
        pages=distinct((*target.pages, *topic.pages)),
        others=distinct((*target.others, *topic.others)),
        indicators=tuple(dict.fromkeys((*target.indicators, *topic.indicators))),
        languages=tuple(dict.fromkeys((*target.languages, *topic.languages))),
        good=tuple(dict.fromkeys((*target.good, *topic.good))),
        bad=tuple(dict.fromkeys((*target.bad, *topic.bad))),
        query=" ".join(query for query in (target.query, topic.query) if query),
        note="\n".join(note for note in (target.note, topic.note) if note),
        added=target.added if target.added is not None else topic.added,
        children=own,
    )
    for child in topic.children:
        present = united.child(child.name)
        # Below the top level, nothing can be merged into its own parent.
        joined = _united(present, child, after=(), into=()) if present is not None else child
        united = _put(united, (child.name,), joined)
    return united


def distinct(pages: Sequence[TrainingPage]) -> tuple[TrainingPage, ...]:
    """Return pages without duplicate URLs; the first is kept, completed with data from later ones."""
    kept: dict[str, TrainingPage] = {}
    for page in pages:
        before = kept.get(page.url)
        if before is None:
            kept[page.url] = page
        else:
            kept[page.url] = replace(
                before,
                title=before.title or page.title,
                note=before.note or page.note,
                added=before.added if before.added is not None else page.added,
                tags=tuple(dict.fromkeys((*before.tags, *page.tags))),
                without=tuple(dict.fromkeys((*before.without, *page.without))),
            )
    return tuple(kept.values())


def found(taxonomy: Taxonomy, path: Path) -> Topic:
    """Return a topic; raise InputError with a suggestion if there is none."""
    topic = taxonomy.get(path)
    if topic is None:
        import difflib

        known = [written(other) for other, _ in taxonomy.walk()]
        close = difflib.get_close_matches(written(path), known, 1, 0.4)
        remedy = f"Did you mean '{close[0]}'?" if close else f"There are: {', '.join(known[:20]) or 'none'}."
        raise InputError(f"There is no topic '{written(path)}'.", remedy, NoTopic(topic=written(path)))
    return topic

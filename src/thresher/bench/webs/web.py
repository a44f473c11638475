"""What the bench crawls: a collection of answers, and a web of labelled pages built from it."""

import difflib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct

from thresher.errors import InputError
from thresher.protocols import Clock, Fetcher
from thresher.types import Fetched

Labels: TypeAlias = Mapping[str, tuple[str, ...]]
"""The topics of each labelled page by its URL; empty for a page known to be of no topic. Other pages are absent."""

MIN_TOPIC = 20
"""Pages a topic must have to be crawled for."""


class Collection(Protocol):
    """Answers under their addresses; the bench reads each once and keeps it parsed (`bench/page_cache.py`)."""

    @property
    def name(self) -> str:
        """Return the name under which its parsed pages are kept."""

    @property
    def digest(self) -> str:
        """Return a digest, in hex, of everything the answers depend on."""

    def urls(self) -> Sequence[str]:
        """Return the canonical URL of every answer, sorted, each once."""

    def answer(self, url: str) -> Fetched:
        """Return the answer of one of the URLs, its leaks closed."""

    def held(self, url: str) -> str | None:
        """Return the URL of the answer that the canonical address of a link leads to, None if it leads nowhere."""


class Usual(Struct, frozen=True):
    """What a run on a web takes if nothing else is said: examples, negatives, drawn start pages, and the budget."""

    examples: int = 10
    negatives: int = 30
    start: int = 5
    budget: int = 1000


class BenchWeb(Struct, frozen=True, kw_only=True):
    """A web to be crawled for topics.

    `served` are the addresses answered with 200, all others with 404; `labels` those of served pages; examples and
    negatives are drawn from `corpus`, which need not be served. `home` are the start pages if they are not drawn;
    `judged` says that a committee judges pages without a label; `topics` counts the pages of each topic that can be
    asked for, and `topic_sets` are names for several of them. A `note` is printed wherever figures of this web are.

    Where manners count, `robots` are the robots files by host, and `network` makes what answers, where the web has
    answers of its own that the collection does not tell: errors, delays, traps. `bookmarks` are files of bookmarks
    whose folders are topics, by name.
    """

    name: str
    collection: Collection
    served: frozenset[str]
    labels: Labels
    corpus: Labels
    topics: Mapping[str, int]
    home: tuple[str, ...] = ()
    topic_sets: Mapping[str, tuple[str, ...]] = {}
    note: str = ""
    judged: bool = False
    robots: Mapping[str, bytes] = {}
    network: Callable[[Clock], Fetcher] | None = None
    bookmarks: Mapping[str, bytes] = {}

    def named(self, words: Sequence[str]) -> list[str]:
        """Return the topics that names of topics and of sets of topics stand for; raises InputError for an unknown one.

        Without any name, the first set is meant, or every topic if there is no set; raises InputError if there is no
        topic at all.
        """
        if not self.topics:
            raise InputError(
                f"The web '{self.name}' has no topic with at least {MIN_TOPIC} pages.",
                "Label more pages; an archive takes its labels from a file: 'warc:FILE;labels=FILE'.",
            )
        wanted = words or list(self.topic_sets)[:1] or list(self.topics)
        found = [topic for word in wanted for topic in self.topic_sets.get(word, (word,))]
        for topic in found:
            if topic not in self.topics:
                near = difflib.get_close_matches(topic, [*self.topics, *self.topic_sets], 1, 0.3)
                raise InputError(
                    f"The web '{self.name}' has no topic '{topic}' with at least {MIN_TOPIC} pages.",
                    f"Did you mean '{near[0]}'?" if near else f"See: thresher bench webs {self.name}",
                )
        return list(dict.fromkeys(found))

    def set_of(self, topic: str) -> str:
        """Return the smallest set of topics that one belongs to; empty if it belongs to none."""
        holding = [name for name, topics in self.topic_sets.items() if topic in topics]
        return min(holding, key=lambda name: len(self.topic_sets[name]), default="")


class WebKind(Struct, frozen=True, kw_only=True):
    """A web that can be named, or a family of webs; a file of this folder declares one by a value of this type.

    `opens` makes the web. Its parameters are those that may stand behind the name, `wikispeedia(hosts=200)`; one
    without a default follows a colon, `warc:FILE;labels=FILE`. Two are not written but given: `data`, the folder of the
    collections, to a web that asks for it, and `member` to a family. A family stands for a web `NAME-MEMBER` for each
    of its `members`. `labelled` says that all labels are known; else a committee judges the pages that have none.
    `own_starts` says that crawls begin at the web's own start pages unless they are hard. A web with `quick` is part of
    the short bench.
    """

    name: str
    opens: Callable[..., BenchWeb]
    members: tuple[str, ...] = ()
    usual: Usual = Usual()
    labelled: bool = True
    own_starts: bool = False
    quick: bool = False

    def member_of(self, web: str) -> str | None:
        """Return the member of the family that a web is, by its name; None if it is none.

        >>> WebKind(name="webkb", opens=BenchWeb, members=("cornell",)).member_of("webkb-cornell")
        'cornell'
        """
        member = web.removeprefix(f"{self.name}-")
        return member if member != web and member in self.members else None


def counted(labels: Labels, least: int = MIN_TOPIC) -> dict[str, int]:
    """Return the number of pages of each topic with at least so many, sorted by name.

    >>> counted({"http://a.test/": ("x", "y"), "http://b.test/": ("x",)}, least=2)
    {'x': 2}
    """
    numbers = Counter(topic for topics in labels.values() for topic in topics)
    return {topic: number for topic, number in sorted(numbers.items()) if number >= least}

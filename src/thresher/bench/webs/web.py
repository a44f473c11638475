"""What the bench crawls: a collection of responses, and a web of labelled pages built from it."""

import difflib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct

from thresher.errors import InputError
from thresher.protocols import Clock, Fetcher
from thresher.types import Fetched

Labels: TypeAlias = Mapping[str, tuple[str, ...]]
"""The topics of each labelled page by URL; empty for a page known to have no topic. Other pages are absent."""

MIN_TOPIC = 20
"""Minimum number of pages for a topic to be crawled for."""


class Collection(Protocol):
    """Responses by address; the bench reads each once and stores it parsed (`bench/page_cache.py`)."""

    @property
    def name(self) -> str:
        """The name under which its parsed pages are stored."""

    @property
    def digest(self) -> str:
        """A hex digest of everything the responses depend on."""

    def urls(self) -> Sequence[str]:
        """Return the canonical URL of every response, sorted and without duplicates."""

    def answer(self, url: str) -> Fetched:
        """Return the response for one of the URLs, without anything that reveals labels."""

    def held(self, url: str) -> str | None:
        """Return the URL of the response that a link's canonical address leads to, or None if it leads nowhere."""


class Usual(Struct, frozen=True):
    """The defaults of a run on a web: examples, negatives, drawn start pages, and the budget."""

    examples: int = 10
    negatives: int = 30
    start: int = 5
    budget: int = 1000


class BenchWeb(Struct, frozen=True, kw_only=True):
    """A web to crawl for topics.

    `served` holds the addresses answered with 200, all others get 404; `labels` are those of served pages; examples and
    negatives are drawn from `corpus`, which need not be served. `home` holds the start pages if they are not drawn;
    `judged` says that a committee judges unlabelled pages; `topics` maps each topic that can be crawled for to its
    number of pages, and `topic_sets` names sets of them. `note` is printed with all figures of this web.

    For polite crawls, `robots` holds the robots files by host, and `network` creates the fetcher if the web has
    responses that are not in the collection: errors, delays, traps. `bookmarks` holds bookmark files, by name, whose
    folders are topics.
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
        """Return the topics for some names of topics and topic sets; raises InputError for an unknown name.

        Without names, the first set is used, or every topic if there is no set; raises InputError if there are no
        topics at all.
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
        """Return the smallest topic set that a topic belongs to, "" if there is none."""
        holding = [name for name, topics in self.topic_sets.items() if topic in topics]
        return min(holding, key=lambda name: len(self.topic_sets[name]), default="")


class WebKind(Struct, frozen=True, kw_only=True):
    """A web that can be named, or a family of webs; each file in this folder declares one as a value of this type.

    `opens` creates the web. Its parameters can be written after the name, as in `wikispeedia(hosts=200)`; one without a
    default follows a colon, as in `warc:FILE;labels=FILE`. Two are not written but passed: `data`, the folder of the
    collections, and `member` for a family. A family stands for a web `NAME-MEMBER` for each of its `members`.
    `labelled` says that all labels are known; otherwise a committee judges unlabelled pages. `own_starts` says that
    crawls begin at the web's own start pages, except in hard mode. A web with `quick` is part of the short bench.
    """

    name: str
    opens: Callable[..., BenchWeb]
    members: tuple[str, ...] = ()
    usual: Usual = Usual()
    labelled: bool = True
    own_starts: bool = False
    quick: bool = False

    def member_of(self, web: str) -> str | None:
        """Return the family member that a web name refers to, or None.

        >>> WebKind(name="webkb", opens=BenchWeb, members=("cornell",)).member_of("webkb-cornell")
        'cornell'
        """
        member = web.removeprefix(f"{self.name}-")
        return member if member != web and member in self.members else None


def counted(labels: Labels, least: int = MIN_TOPIC) -> dict[str, int]:
    """Return the number of pages per topic, for topics with at least `least`, sorted by name.

    >>> counted({"http://a.test/": ("x", "y"), "http://b.test/": ("x",)}, least=2)
    {'x': 2}
    """
    numbers = Counter(topic for topics in labels.values() for topic in topics)
    return {topic: number for topic, number in sorted(numbers.items()) if number >= least}

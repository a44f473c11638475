"""The task of a crawl for several topics at once: a taxonomy, a few start pages, and the ground truth."""

from collections.abc import Sequence
from random import Random

import numpy as np
from msgspec import Struct

from thresher.bench.link_graph import Mask
from thresher.bench.page_cache import PageCache
from thresher.bench.webs.web import BenchWeb
from thresher.errors import InputError
from thresher.types import ParsedPage


class PhaseTask(Struct, frozen=True, eq=False):
    """A crawl for all `topics` in one taxonomy.

    `examples` are both the training pages of each topic and the start pages of the crawl; `negatives` belong to none.
    `open` marks by number the pages that answer 200; `targets` has a row per topic that marks its reachable pages
    except examples.
    """

    topics: tuple[str, ...]
    examples: tuple[tuple[str, ...], ...]
    negatives: tuple[str, ...]
    open: Mask
    targets: Mask

    def starts(self) -> list[str]:
        """Return the start pages, topic by topic."""
        return list(dict.fromkeys(url for pages in self.examples for url in pages))

    def labelled(self, pages: PageCache) -> list[tuple[ParsedPage, str | None]]:
        """Return the training pages with their topics, as names of one level."""
        by_topic = zip(self.topics, self.examples, strict=True)
        found: list[tuple[str, str | None]] = [(url, name_of(topic)) for topic, urls in by_topic for url in urls]
        found += [(url, None) for url in self.negatives]
        return [(page, label) for url, label in found if (page := pages.page(url)) is not None]


def name_of(topic: str) -> str:
    """Return a topic's name in a taxonomy of one level.

    >>> name_of("labrend/foweck")
    'labrend foweck'
    """
    return topic.replace("/", " ")


def draw_phase_task(
    web: BenchWeb, pages: PageCache, topics: Sequence[str], seed: int, examples: int, negatives: int
) -> PhaseTask:
    """Return the task for some topics and a repetition; raises InputError if the web has too few pages.

    Draws are samples from sorted lists by `random.Random`, seeded with `WEB/phases/TOPIC/SEED`.
    """
    known = sorted(url for url in web.labels if url in pages)
    marked = {url: number for url in web.served if (number := pages.number(url)) is not None}
    opened = np.zeros(len(pages.urls), bool)
    opened[list(marked.values())] = True
    drawn: list[tuple[str, ...]] = []
    for topic in topics:
        inside = [url for url in known if topic in web.labels[url]]
        if len(inside) < examples + 1:
            raise InputError(f"'{web.name}' has too few pages of '{topic}'.", "Ask for fewer with --examples.")
        drawn.append(tuple(Random(f"{web.name}/phases/{topic}/{seed}").sample(inside, examples)))
    outside = [url for url in known if not set(topics) & set(web.labels[url])]
    if len(outside) < negatives:
        raise InputError(f"'{web.name}' has {len(outside)} pages of no topic.", "Ask for fewer with --negatives.")
    given = {url for urls in drawn for url in urls}
    starts = [marked[url] for url in sorted(given) if url in marked]
    reached = pages.graph.reachable(starts, opened)
    targets = np.zeros((len(topics), len(pages.urls)), bool)
    for row, topic in enumerate(topics):
        for url in known:
            if topic in web.labels[url] and url not in given and url in marked:
                targets[row, marked[url]] = reached[marked[url]]
    return PhaseTask(
        topics=tuple(topics),
        examples=tuple(drawn),
        negatives=tuple(Random(f"{web.name}/phases//{seed}").sample(outside, negatives)),
        open=opened,
        targets=targets,
    )

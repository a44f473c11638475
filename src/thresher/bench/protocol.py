"""The protocol: which pages a crawl learns from, where it starts and what it should find.

Every draw is a sample from a sorted list by `random.Random` seeded with a text: `WEB/TOPIC/SEED/examples` for the
examples, and likewise `.../negatives`, `.../wrong` and `.../starts`. Both modes draw the same examples and negatives.
"""

from collections.abc import Mapping, Sequence
from random import Random

import numpy as np
from msgspec import Struct

from thresher.bench.link_graph import Mask
from thresher.bench.page_cache import PageCache
from thresher.bench.records import Mode
from thresher.bench.webs.web import BenchWeb
from thresher.errors import InputError


class Draw(Struct, frozen=True):
    """How many examples, negatives and start pages to draw; `wrong` of the examples are from another topic."""

    examples: int
    negatives: int
    start: int
    wrong: int = 0


class Task(Struct, frozen=True, eq=False):
    """A crawl to run: its input, and what it must find.

    `examples` and `negatives` are training pages, `starts` the start pages. Masks by page number: `open` marks the
    pages that answer 200, `relevant` those of the topic, `targets` those to find, that is, all reachable pages of the
    topic except the examples. `reachable` is the number of reachable pages.
    """

    examples: tuple[str, ...]
    negatives: tuple[str, ...]
    starts: tuple[str, ...]
    open: Mask
    relevant: Mask
    targets: Mask
    reachable: int


def draw_task(web: BenchWeb, pages: PageCache, topic: str, seed: int, mode: Mode, draw: Draw) -> Task:
    """Return the task for a topic and a seed set.

    Normal mode starts at the web's home or at the first examples. In hard mode the examples answer 404 and the starts
    are labelled pages outside the topic without a link to it. Wrong examples replace the last ones.
    """
    name = f"{web.name}/{topic}/{seed}"
    inside, outside = _parted(web.corpus, topic, pages)
    if len(inside) < draw.examples or len(outside) < draw.negatives + draw.wrong:
        raise InputError(
            f"'{web.name}' has {len(inside)} pages of '{topic}' and {len(outside)} others, too few for "
            f"{draw.examples} examples, {draw.wrong} of them wrong, and {draw.negatives} negatives.",
            "Ask for fewer with --examples, --wrong and --negatives.",
        )
    examples = Random(f"{name}/examples").sample(inside, draw.examples)
    negatives = Random(f"{name}/negatives").sample(outside, draw.negatives)
    if draw.wrong:
        astray = sorted(set(outside) - set(negatives))
        examples[-draw.wrong :] = Random(f"{name}/wrong").sample(astray, min(draw.wrong, draw.examples))
    relevant = _marked(pages, [url for url, topics in web.labels.items() if topic in topics])
    open_pages = _marked(pages, [url for url in web.served if url in pages])
    given = _marked(pages, examples)
    if mode == "hard":
        open_pages &= ~given
        starts = _outside_starts(web, pages, topic, relevant, given, Random(f"{name}/starts"), draw.start)
    else:
        starts = list(web.home) or examples[: draw.start]
    reached = pages.graph.reachable([_number(pages, url) for url in starts], open_pages)
    return Task(
        examples=tuple(examples),
        negatives=tuple(negatives),
        starts=tuple(starts),
        open=open_pages,
        relevant=relevant,
        targets=relevant & reached & ~given,
        reachable=int(np.count_nonzero(reached)),
    )


def _parted(labels: Mapping[str, tuple[str, ...]], topic: str, pages: PageCache) -> tuple[list[str], list[str]]:
    """Return the labelled pages of a topic and all others, both sorted."""
    known = sorted(url for url in labels if url in pages)
    return [url for url in known if topic in labels[url]], [url for url in known if topic not in labels[url]]


def _outside_starts(
    web: BenchWeb, pages: PageCache, topic: str, relevant: Mask, given: Mask, rng: Random, number: int
) -> list[str]:
    """Draw labelled pages outside the topic that do not link to its pages and are not (wrong) examples."""
    close = pages.graph.links_into(relevant) | given
    far = [url for url in _parted(web.labels, topic, pages)[1] if not close[_number(pages, url)]]
    if len(far) < number:
        raise InputError(
            f"'{web.name}' has {len(far)} labelled pages without a link into '{topic}', fewer than {number}.",
            "Ask for fewer with --start.",
        )
    return rng.sample(far, number)


def _marked(pages: PageCache, urls: Sequence[str]) -> Mask:
    marks = np.zeros(len(pages.urls), bool)
    marks[[number for url in urls if (number := pages.number(url)) is not None]] = True
    return marks


def _number(pages: PageCache, url: str) -> int:
    number = pages.number(url)
    assert number is not None, url
    return number

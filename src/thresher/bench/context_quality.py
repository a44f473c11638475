"""Measures how well link contexts describe their target pages (Pant and Srinivasan, section 8).

Computed over links to the pages of a topic: the TF·IDF cosine of the words around the link with those of the target
page, and the share of links whose context has no word in common with it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

import numpy as np
from msgspec import Struct

from thresher.bench.page_cache import PageCache
from thresher.bench.statistics import Estimate, estimate
from thresher.bench.webs.web import BenchWeb
from thresher.learn.tfidf import TfIdf
from thresher.strategies.contexts import PageStems, Span, tag_tree, text_window
from thresher.types import Link

LINKS: Final = 500
"""Links examined per topic."""
SAMPLE: Final = 1000
"""Pages from which term weights are learned, in addition to the target pages."""
TERMS: Final = 1_000_000
"""Maximum number of terms: effectively all."""
PER_PAGE: Final = 10
"""Links examined per page, so that no link list dominates."""

CONTEXTS: Final[Mapping[str, Callable[[Link, int], Span]]] = {
    "page": lambda _, words: (0, words),
    "window-10": lambda link, words: text_window(link, words, 10),
    "window-20": lambda link, words: text_window(link, words, 20),
    "window-40": lambda link, words: text_window(link, words, 40),
    "tag-tree": tag_tree,
}
"""The contexts by the names of the strategies that use them."""


class ContextQuality(Struct, frozen=True, kw_only=True):
    """A context on the links to one topic: mean cosine with the target pages, share of links with cosine zero."""

    web: str
    topic: str
    context: str
    links: int
    similarity: float
    zero: float


class _Bags(Struct, frozen=True):
    """The words of a link's contexts and of its target."""

    contexts: dict[str, Mapping[str, int]]
    target: Mapping[str, int]


def context_quality(web: BenchWeb, pages: PageCache, topic: str, links: int = LINKS) -> list[ContextQuality]:
    """Measure every context over randomly drawn links to the pages of a topic; empty if there are none."""
    rng = Random(f"{web.name}/{topic}/contexts")
    bags = list(_links_into(web, pages, topic, links, rng))
    if not bags:
        return []
    drawn = rng.sample(sorted(web.served), min(SAMPLE, len(web.served)))
    sample = [page.terms for url in drawn if (page := pages.page(url)) is not None]
    # Names are rare words, so all words of the targets must count, or links that contain them seem uninformative.
    weighing = TfIdf(min_bags=1, max_terms=TERMS).fit([*sample, *(bag.target for bag in bags)])
    targets = weighing.transform([bag.target for bag in bags])
    found = []
    for name in CONTEXTS:
        rows = weighing.transform([bag.contexts[name] for bag in bags])
        cosines = np.asarray(rows.multiply(targets).sum(axis=1)).ravel()
        found.append(
            ContextQuality(
                web=web.name,
                topic=topic,
                context=name,
                links=len(bags),
                similarity=float(cosines.mean()),
                zero=float((cosines <= 0).mean()),
            )
        )
    return found


def mean_quality(rows: Sequence[ContextQuality]) -> list[tuple[str, Estimate, Estimate]]:
    """Return each context with its mean similarity and share of zeros over topics."""
    found = []
    for name in CONTEXTS:
        similarity = estimate(row.similarity for row in rows if row.context == name)
        zero = estimate(row.zero for row in rows if row.context == name)
        if similarity and zero:
            found.append((name, similarity, zero))
    return found


def _links_into(web: BenchWeb, pages: PageCache, topic: str, number: int, rng: Random) -> Iterator[_Bags]:
    targets = {url for url, topics in web.labels.items() if topic in topics and url in pages}
    marks = np.array([url in targets for url in pages.urls])
    sources = [url for url, near in zip(pages.urls, pages.graph.links_into(marks), strict=True) if near]
    rng.shuffle(sources)
    for url in sources:
        page = pages.page(url)
        wanted = {link.url: link for link in page.links if link.url in targets and link.url != url} if page else {}
        if page is None or not wanted:
            continue
        stems = PageStems(page.words, page.language)
        for link in rng.sample(list(wanted.values()), min(PER_PAGE, len(wanted))):
            target = pages.page(link.url)
            if number == 0 or target is None:
                return
            number -= 1
            spans = {name: span(link, len(page.words)) for name, span in CONTEXTS.items()}
            yield _Bags({name: stems.bag(span) for name, span in spans.items()}, target.terms)

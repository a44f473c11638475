"""The committee: three classifiers that judge crawls of unlabelled webs (Pant and Srinivasan, section 7).

Naive Bayes, a support vector machine and a network with one hidden layer learn from everything known about the topic,
at least twice what the crawler was shown; a page is relevant if two of them say so. They never take part in a crawl.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, Self

from msgspec import Struct

from thresher.bench.page_cache import PageCache
from thresher.bench.webs.web import BenchWeb
from thresher.classify.flat import FlatClassifier, Model
from thresher.errors import InputError
from thresher.types import ParsedPage

MEMBERS: Final[tuple[Model, ...]] = ("naive-bayes", "svm", "network")
ADVANTAGE: Final = 2
"""Minimum number of examples the committee must know, as a multiple of the crawler's."""
NEGATIVES: Final = 3
"""Negative pages the committee learns from, per page of the topic."""
LEAST_NEGATIVES: Final = 1000
"""Minimum number of negative pages it learns from, if available."""
TERMS: Final = 10_000
FOLDS: Final = 3


class Committee:
    """Judges pages by the majority of its members; `models` are their kinds.

    >>> def page(text):
    ...     return ParsedPage(url="", title="", words=[], links=[], terms={word: 1 for word in text.split()})
    >>> examples = [(page(f"boat sail wind {n}"), "boats") for n in range(9)]
    >>> examples += [(page(f"car road wheel {n}"), None) for n in range(9)]
    >>> committee = Committee().fit(examples)
    >>> committee.votes(page("a boat in the wind")), committee.relevant(page("a car on the road"))
    (3, False)
    """

    def __init__(self, models: Sequence[Model] = MEMBERS) -> None:
        self.models = tuple(models)
        self.members_: list[FlatClassifier] = []

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Learn from pages with their topic; None marks a negative page."""
        self.members_ = [FlatClassifier(model, max_terms=TERMS).fit(examples) for model in self.models]
        return self

    def votes(self, page: ParsedPage) -> int:
        """Return how many members call a page relevant."""
        return sum(member.relevance([page.terms])[0] >= 0.5 for member in self.members_)

    def relevant(self, page: ParsedPage) -> bool:
        """Return whether most members call a page relevant."""
        return 2 * self.votes(page) > len(self.members_)


class Agreement(Struct, frozen=True, kw_only=True):
    """How the committee's judgement of unseen pages compares with their labels.

    `accuracy` is the share of pages judged as labelled, `balanced` its mean over pages of the topic and other pages.
    `precision` and `recall` refer to the topic; `kappa` is Cohen's kappa, the agreement beyond chance; `unanimous` is
    the share of pages on which all members agree.
    """

    web: str
    topic: str
    pages: int
    positives: int
    accuracy: float
    balanced: float
    precision: float
    recall: float
    kappa: float
    unanimous: float


def train_committee(web: BenchWeb, pages: PageCache, topic: str, shown: int) -> Committee:
    """Return the committee of a topic, trained on all its labelled pages; the crawler is shown `shown` of them."""
    inside, outside = _parted(web, pages, topic)
    if len(inside) < ADVANTAGE * shown or not outside:
        raise InputError(
            f"'{web.name}' has {len(inside)} labelled pages of '{topic}' and {len(outside)} others: too few to judge "
            f"a crawl that was shown {shown}.",
            "Label more pages, or show the crawler fewer with --examples.",
        )
    return Committee().fit(_examples(pages, topic, inside, outside))


def agreement(web: BenchWeb, pages: PageCache, topic: str, folds: int = FOLDS) -> Agreement:
    """Compare the committee with the labels of a web by cross-validation."""
    inside, outside = _parted(web, pages, topic)
    if min(len(inside), len(outside)) < folds:
        raise InputError(
            f"'{web.name}' has {len(inside)} labelled pages of '{topic}' and {len(outside)} others: too few to cut "
            f"each into {folds} parts.",
            "Choose another topic, or fewer parts with --folds.",
        )
    rng = Random(f"{web.name}/{topic}/committee")
    rng.shuffle(inside)
    rng.shuffle(outside)
    counts = {(label, judged): 0 for label in (True, False) for judged in (True, False)}
    unanimous = 0
    for fold in range(folds):
        unseen = {*inside[fold::folds], *outside[fold::folds]}
        seen_inside, seen_outside = ([url for url in urls if url not in unseen] for urls in (inside, outside))
        committee = Committee().fit(_examples(pages, topic, seen_inside, seen_outside))
        for label, urls in ((True, inside[fold::folds]), (False, outside[fold::folds])):
            for url in urls:
                votes = committee.votes(_page(pages, url))
                counts[label, 2 * votes > len(MEMBERS)] += 1
                unanimous += votes in (0, len(MEMBERS))
    return _agreement(web.name, topic, counts, unanimous)


def _agreement(web: str, topic: str, counts: dict[tuple[bool, bool], int], unanimous: int) -> Agreement:
    right, missed = counts[True, True], counts[True, False]
    wrong, left = counts[False, True], counts[False, False]
    pages, positives = right + missed + wrong + left, right + missed
    accuracy = (right + left) / pages
    chance = (positives * (right + wrong) + (pages - positives) * (missed + left)) / pages**2
    recall = right / positives
    return Agreement(
        web=web,
        topic=topic,
        pages=pages,
        positives=positives,
        accuracy=accuracy,
        balanced=(recall + left / (pages - positives)) / 2,
        precision=right / (right + wrong) if right + wrong else 0.0,
        recall=recall,
        kappa=(accuracy - chance) / (1 - chance),
        unanimous=unanimous / pages,
    )


def _parted(web: BenchWeb, pages: PageCache, topic: str) -> tuple[list[str], list[str]]:
    known = {**web.corpus, **web.labels}
    urls = sorted(url for url in known if url in pages)
    return [url for url in urls if topic in known[url]], [url for url in urls if topic not in known[url]]


def _examples(
    pages: PageCache, topic: str, inside: Sequence[str], outside: Sequence[str]
) -> list[tuple[ParsedPage, str | None]]:
    """Return all pages of the topic and a sample of the others."""
    wanted = min(len(outside), max(LEAST_NEGATIVES, NEGATIVES * len(inside)))
    drawn = Random(f"{topic}/committee/negatives").sample(outside, wanted)
    return [*((_page(pages, url), topic) for url in inside), *((_page(pages, url), None) for url in drawn)]


def _page(pages: PageCache, url: str) -> ParsedPage:
    page = pages.page(url)
    assert page is not None, url
    return page

"""Measures ranking quality: known pages by title and by anchor texts, and pages of a topic by its name."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Final

import numpy as np
from msgspec import Struct

from thresher.bench.page_cache import PageCache
from thresher.bench.rivals.fts5_search import PageText
from thresher.bench.webs.web import BenchWeb
from thresher.search.evaluate import Evaluation
from thresher.search.filters import Filters
from thresher.search.parsed import TermKind
from thresher.search.query_parser import parse
from thresher.search.rankings import DEFAULT, PARTS
from thresher.search.snapshot import Snapshot
from thresher.search.text_query import USUAL_FIELDS, FieldWeights
from thresher.store.protocol import Store
from thresher.text.words import words

TOP: Final = 10
RARE: Final = 2
"""Minimum number of links with the same text for it to count as a name of the page."""

_BLOCK: Final = 500

PLAIN: Final = FieldWeights(title=1.0, body=1.0, anchors=0.0, address=0.0, phrase=0.0)
"""Plain BM25 over title and text."""

Answer = Callable[[str], Sequence[str]]
"""Returns the URLs of the best pages for a query, best first."""


class Question(Struct, frozen=True):
    """A query, and the pages that answer it."""

    query: str
    right: frozenset[str]


class SearchTask(Struct, frozen=True):
    """Questions of one kind; `known` if each has one right page, whose rank counts, otherwise precision counts."""

    name: str
    questions: list[Question]
    known: bool


class RankingQuality(Struct, frozen=True, kw_only=True):
    """The value of a ranking on a task: mean reciprocal rank among the first ten, or precision at ten."""

    data: str
    task: str
    ranking: str
    value: float


RANKINGS: Final[Mapping[str, tuple[Mapping[str, float], FieldWeights]]] = {
    "default": (DEFAULT, USUAL_FIELDS),
    **{part: ({part: 1.0}, USUAL_FIELDS) for part in PARTS},
    "plain BM25": ({"text": 1.0}, PLAIN),
}
"""The default, each part alone, and BM25 over title and text as in any engine."""


def web_tasks(web: BenchWeb, pages: PageCache, topics: Sequence[str], items: int, taught: set[str]) -> list[SearchTask]:
    """Return the tasks of a web for some of its topics, without pages that the classifier has learned from."""
    rng = Random(f"{web.name}/known-items")
    own = sorted(url for url, labels in web.labels.items() if set(labels) & set(topics) and url in pages)
    chosen = rng.sample([url for url in own if url not in taught], min(items, len(own) - len(taught)))
    called = _called(pages)
    titles = [(url, page.title) for url in chosen if (page := pages.page(url)) is not None]
    named = [(url, _usual(called.get(url, Counter()), title)) for url, title in titles]
    labelled = {topic: frozenset(url for url, labels in web.labels.items() if topic in labels) for topic in topics}
    return [
        SearchTask("title", [_item(url, title) for url, title in titles if words(title)], known=True),
        SearchTask("anchor", [_item(url, text) for url, text in named if words(text)], known=True),
        SearchTask("topic", [Question(_topic_query(topic), labelled[topic]) for topic in topics], known=False),
    ]


def _item(url: str, text: str) -> Question:
    return Question(f"{' '.join(words(text))} topic:any", frozenset([url]))


def _topic_query(topic: str) -> str:
    return topic.rpartition(".")[2].replace("_", " ").replace(" and ", " ")


def _called(pages: PageCache) -> dict[str, Counter[str]]:
    """Return the anchor texts of the links to each page."""
    called: dict[str, Counter[str]] = {}
    for url in pages.urls:
        page = pages.page(url)
        for link in page.links if page is not None else ():
            if link.url != url:
                called.setdefault(link.url, Counter())[" ".join(words(link.anchor)).lower()] += 1
    return called


def _usual(texts: Counter[str], title: str) -> str:
    """Return the most frequent anchor text of a page other than its title, "" if there is none."""
    plain = " ".join(words(title)).lower()
    found = [(-count, text) for text, count in texts.items() if count >= RARE and text and text != plain]
    return min(found)[1] if found else ""


def newsgroup_task(subjects: Mapping[str, str], items: int) -> SearchTask:
    """Return the task of finding posts by their subjects."""
    rng = Random("newsgroups/known-items")
    chosen = rng.sample(sorted(subjects), min(items, len(subjects)))
    return SearchTask("subject", [_item(url, subjects[url]) for url in chosen if words(subjects[url])], known=True)


def answers(snapshot: Snapshot, store: Store, weights: Mapping[str, float], fields: FieldWeights) -> Answer:
    """Return the answer function of a ranking in one state of a portal."""
    state = Snapshot(snapshot.searcher, snapshot.schema, snapshot.columns, snapshot.numbered, fields)
    evaluation = Evaluation(state, Filters(state.columns, store, lambda _: []))

    def answer(query: str) -> list[str]:
        ranked = evaluation.best(evaluation.question(parse(query)), weights, TOP)
        ids = [int(id_) for id_ in np.asarray(state.columns["id"])[ranked.rows]]
        heads = store.search_feed.heads(ids)
        return [heads[id_].url for id_ in ids]

    return answer


def page_texts(snapshot: Snapshot, store: Store) -> Iterator[list[PageText]]:
    """Yield URL, title and text of all searchable pages of a portal, in blocks."""
    ids = snapshot.columns["id"][snapshot.columns["searchable"]].tolist()
    for start in range(0, len(ids), _BLOCK):
        heads = store.search_feed.heads(ids[start : start + _BLOCK])
        yield [(head.url, head.title, head.text) for head in heads.values()]


def plain_words_of(query: str) -> str:
    """Return the words of a query without its filters, for engines that have none.

    >>> plain_words_of("solar cells topic:any")
    'solar cells'
    """
    terms = parse(query).terms()
    return " ".join(term.text for term in terms if term.kind is TermKind.WORD and not term.negated)


def value_of(task: SearchTask, answer: Answer) -> float:
    """Return how well a task is answered, 0 to 1."""
    return fmean(_value(question, answer(question.query), task.known) for question in task.questions)


def _value(question: Question, found: Sequence[str], known: bool) -> float:
    if known:
        return next((1.0 / rank for rank, url in enumerate(found[:TOP], 1) if url in question.right), 0.0)
    return sum(url in question.right for url in found[:TOP]) / TOP

"""Crawling for a query, and the pages that answer it best."""

from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from msgspec import Struct

from thresher.api.crawl_summary import CrawlSummary
from thresher.api.crawl_work import carry_out
from thresher.api.overrides import Settings, overrides_of
from thresher.api.reports import Interrupted, Report
from thresher.api.waiting import ShowProgress
from thresher.taxonomy.seeds import some_seeds
from thresher.taxonomy.shelves import tidy

if TYPE_CHECKING:
    from thresher.search.answers import RankedPages


class AnswerRow(TypedDict):
    """A page that answers a query; `lacks` are the words it does not have.

    `score` is between 0 and 1, at least 0.5 for a page with all words.
    """

    url: str
    title: str
    score: float
    confidence: float | None
    lacks: list[str]


class AskSummary(CrawlSummary):
    """As for `crawl`, and the answers.

    `whole` counts the pages with all words, `missing` are words that no page has, and `found` says so in a sentence.
    """

    query: str
    answers: list[AnswerRow]
    whole: int
    missing: list[str]
    found: str


class Asked(Struct, frozen=True):
    """The query as understood, the report of the crawl and the answers; `interrupted` if Ctrl-C stopped it."""

    query: str
    report: Report
    found: "RankedPages"
    interrupted: bool = False

    def summary(self, portal: str) -> AskSummary:
        """Return the object that `thresher ask --json` prints."""
        answers: list[AnswerRow] = [
            {
                "url": answer.url,
                "title": answer.title,
                "score": round(answer.score, 4),
                "confidence": answer.confidence,
                "lacks": list(answer.lacks),
            }
            for answer in self.found.answers
        ]
        return {
            **self.report.summary(portal),
            "query": self.query,
            "answers": answers,
            "whole": self.found.whole,
            "missing": list(self.found.missing),
            "found": sentence(self.found),
        }


def check_words(query: str) -> None:
    """Raise InputError if a query has no words to look for."""
    from thresher.runs.asking import crawled_words

    crawled_words(tidy(query))


def ask(
    path: Path,
    query: str,
    *,
    seeds: str | None = None,
    pages: int = 300,
    hours: float = 0.0,
    number: int = 10,
    fresh: bool = False,
    settings: Settings | None = None,
    progress: ShowProgress = None,
) -> Asked:
    """Crawl for a query, for at most `pages` and `hours` (0 for no limit), and return the `number` best answers.

    The query uses the search syntax; filters and excluded words apply to the answers, not to the crawl. The crawl
    starts from stored pages that match part of the query, from queued links and from `seeds`, the text of a seeds file.
    An interrupted crawl for the same query continues, unless `fresh` is given. Topics and other crawls are not
    affected. If it is interrupted, the answers found so far are returned.
    """
    from thresher.runs.plans import Ask
    from thresher.search.searcher import Searcher

    check_words(query)
    named = [link.url for link in some_seeds(seeds).links] if seeds is not None else []
    plan = Ask(path, tidy(query), pages, hours, overrides=overrides_of(settings), seeds=named, fresh=fresh)
    interrupted = False
    try:
        report = carry_out(plan, progress)
    except Interrupted as stopped:
        if stopped.report is None:
            raise
        report, interrupted = stopped.report, True
    with Searcher(path) as searcher:
        return Asked(plan.query, report, searcher.answers(plan.query, number=number), interrupted)


def sentence(found: "RankedPages") -> str:
    """Return what was found and what is missing, in one sentence.

    >>> from thresher.search.answers import RankedPages
    >>> sentence(RankedPages([], 12, ("red", "boats"), 0, ("red", "boats")))
    'None of the 12 stored pages contains any of the words.'
    >>> sentence(RankedPages([], 12, ("red", "boats"), 3, ()))
    '3 of the 12 stored pages contain all the words.'
    """
    if found.whole:
        return f"{found.whole:,} of the {found.pages:,} stored pages contain all the words."
    if len(found.missing) == len(found.words):
        return f"None of the {found.pages:,} stored pages contains any of the words."
    start = f"None of the {found.pages:,} stored pages contains all the words"
    if found.missing:
        return f"{start}, and none contains {' or '.join(repr(word) for word in found.missing)}."
    return f"{start}, but each word is on some of them."

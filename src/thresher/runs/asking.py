"""A crawl for a query: one queue of links scored by the query, from the portal's pages (Sizov, section 2.5)."""

from pathlib import Path
from typing import Final

from thresher.config.load import load
from thresher.crawl.phases.query_start import QueryStart
from thresher.errors import InputError, command
from thresher.models import newest_model
from thresher.parameters import written
from thresher.runs.plans import Ask
from thresher.runs.preparation import Prepared, check, links_to, snapshot, start_urls
from thresher.search.answers import words_asked_for
from thresher.search.searcher import Searcher
from thresher.store.crawl_history import newest_of
from thresher.store.protocol import Store
from thresher.store.records import QUERY, CrawlKind
from thresher.text.query_words import QueryWords

SEEDS: Final = "seeds"
"""The setting that names a crawl's own start pages."""

STRATEGY: Final = "query"

AT_ONCE: Final = 1
"""Number of parallel fetches: one, because each page affects which one comes next."""

READ: Final = 500
"""Maximum number of stored pages matching part of a query that are read for their links, best first."""

_LEFT_LINKS: Final = (CrawlKind.CRAWL, CrawlKind.LEARN, CrawlKind.HARVEST, CrawlKind.ASK)


def ask(store: Store, plan: Ask, at: float) -> Prepared:
    """Return a crawl for a query that begins at a wall time; raise InputError if it has nothing to begin with."""
    words = crawled_words(plan.query)
    overrides = [
        f"crawl.strategy={written(STRATEGY, {'text': ' '.join(words)})}",
        "crawl.scope=web",
        "crawl.max_depth=-1",
        "reading.text=true",
        f"engine.parallel={AT_ONCE}",
        *plan.overrides,
        *(f"{key}={value!r}" for key, value in plan.limits.items()),
    ]
    settings = load(plan.portal, overrides).settings
    starts = [*start_urls(store, plan.portal), *plan.seeds]
    before = query_start_for(store, plan.portal, plan.query, starts)
    if not starts and not before.read and not before.crawls:
        raise InputError(
            f"{plan.portal} has no pages to start from.",
            f"Give some: {command('ask', plan.portal, plan.query, '--seeds', 'FILE')}",
        )
    name, model = newest_model(plan.portal, store)
    check(settings, settings.crawl.strategy, starts, [], model)
    kept = {**snapshot(settings, overrides, [], name), QUERY: plan.query, SEEDS: plan.seeds}
    crawl = store.crawls.start(CrawlKind.ASK, settings.crawl.strategy, kept, at)
    return Prepared(crawl, settings, starts, seeds=links_to(starts), before=before, model=model)


def query_start_for(store: Store, portal: Path, query: str, starts: list[str]) -> QueryStart:
    """Return the start of a crawl for a query: stored start pages and stored pages that match part of the query.

    Filters are for the answers: links on a page may pass them even if the page does not.
    """
    with Searcher(portal) as searcher:
        best = [hit.url for hit in searcher.answers(" ".join(crawled_words(query)), number=READ).answers]
    crawls = (newest_of(store, kind) for kind in _LEFT_LINKS)
    return QueryStart(tuple(dict.fromkeys([*best, *starts])), tuple(crawl.id for crawl in crawls if crawl is not None))


def crawled_words(query: str) -> tuple[str, ...]:
    """Return the words that a crawl for a query looks for; raise InputError if there are none."""
    words = QueryWords(" ".join(words_asked_for(query))).words
    if not words:
        raise InputError("The query has no searchable words.", "Write the words to search for.")
    return words

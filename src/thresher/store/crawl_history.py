"""Finds crawls of a portal: the latest of a kind, the one that can be resumed, the one that ran last."""

from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, CrawlRow, CrawlState


def newest_of(store: Store, *kinds: CrawlKind) -> CrawlRow | None:
    """Return the newest crawl of the given kinds, or None if there is none.

    >>> from thresher.store.memory import MemoryStore
    >>> newest_of(MemoryStore(), CrawlKind.LEARN) is None
    True
    """
    return _back(store, store.crawls.get(), frozenset(kinds))


def resumable_crawl(store: Store) -> CrawlRow | None:
    """Return the crawl to continue: the newest, or if that is a finished refresh, the newest that is not a refresh.

    Fetches for training never continue, and crawls for queries are handled by `asked`. None if there is no crawl.
    """
    wanted = frozenset(CrawlKind) - {CrawlKind.TRAIN, CrawlKind.ASK}
    crawl = _back(store, store.crawls.get(), wanted)
    if crawl is None or crawl.kind != CrawlKind.REFRESH or crawl.progress.state is not CrawlState.FINISHED:
        return crawl
    return _back(store, crawl, wanted - {CrawlKind.REFRESH})


def asked(store: Store, query: str) -> CrawlRow | None:
    """Return the newest crawl for a query if it was interrupted, otherwise None."""
    crawl = newest_of(store, CrawlKind.ASK)
    while crawl is not None and crawl.query != query:
        crawl = _back(store, store.crawls.get(crawl.id - 1), frozenset([CrawlKind.ASK]))
    return crawl if crawl is not None and not crawl.is_over else None


def interrupted_crawl(store: Store) -> CrawlRow | None:
    """Return the crawl to continue when a user asks to resume, or None if there is none.

    If the newest crawl was for a query and was interrupted, it is that one; otherwise the one of `resumable_crawl`.
    """
    crawl = store.crawls.get()
    while crawl is not None and (crawl.kind is CrawlKind.TRAIN or (crawl.kind is CrawlKind.ASK and crawl.is_over)):
        crawl = store.crawls.get(crawl.id - 1)
    return crawl if crawl is not None and crawl.kind is CrawlKind.ASK else resumable_crawl(store)


def latest_crawl(store: Store) -> CrawlRow | None:
    """Return the crawl that was active last, or None; a resumed older crawl counts as more recent."""
    return max(all_crawls(store), key=lambda crawl: (crawl.updated, crawl.id), default=None)


def all_crawls(store: Store) -> list[CrawlRow]:
    """Return the crawls of a portal, oldest first."""
    newest = store.crawls.get()
    known = (store.crawls.get(number) for number in range(1, newest.id + 1 if newest else 1))
    return [crawl for crawl in known if crawl is not None]


def _back(store: Store, crawl: CrawlRow | None, kinds: frozenset[CrawlKind]) -> CrawlRow | None:
    """Return the given crawl if it is of the given kinds, otherwise the newest such crawl before it."""
    while crawl is not None and crawl.kind not in kinds:
        crawl = store.crawls.get(crawl.id - 1)
    return crawl

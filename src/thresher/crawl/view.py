"""The view a strategy has of the crawl: read-only, closed, and never older than the last page."""

from thresher.crawl.progress import Counters
from thresher.shard.protocol import Shard
from thresher.store.protocol import Store
from thresher.types import Candidate, Judgement, Memo
from thresher.web.urls import url_id


class CrawlView:
    """Answers a strategy's questions from the shard, the counters and the store."""

    def __init__(self, shard: Shard, store: Store, counters: Counters) -> None:
        self._shard = shard
        self._store = store
        self._counters = counters

    def memo(self, url: str) -> Memo | None:
        """Return what was handed down to a URL of this crawl, or None where the URL is unknown."""
        row = self._shard.look(urls=[url]).urls.get(url)
        return row.candidate.memo if row else None

    def judgement(self, url: str) -> Judgement | None:
        """Return the judgement of a stored page, or None where it was not stored or not judged."""
        return self._store.documents.judgement(url_id(url))

    def inlinks(self, url: str) -> list[str]:
        """Return the stored pages known to link to a URL, oldest first; empty where there are none."""
        return [source for source, _ in self._store.documents.inlinks(url_id(url))]

    def yields(self, host: str) -> tuple[int, int]:
        """Return how many pages of a host were stored and how many of them were accepted by a topic."""
        return self._shard.look(hosts=[host]).hosts[host]

    def waiting(self) -> dict[str, int]:
        """Return the number of candidates that wait, by queue."""
        return dict(self._shard.look(queues=True).queues)

    def pages(self) -> int:
        """Return the number of pages stored by this crawl so far."""
        return self._counters.pages

    def best(self, limit: int) -> list[Candidate]:
        """Return at most `limit` waiting candidates of each queue, those of the highest priority."""
        return list(self._shard.look(best=limit).best)

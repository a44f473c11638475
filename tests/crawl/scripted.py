"""A web of a few scripted answers, for tests that need to know every request."""

import asyncio
from collections.abc import Callable
from typing import Any

from thresher.crawl.arrivals import Handler
from thresher.crawl.budget import Budget, Pace
from thresher.crawl.clock import VirtualClock
from thresher.crawl.engine import Engine
from thresher.crawl.journal import Journal
from thresher.crawl.writer import Writer
from thresher.documents.lists import read_list
from thresher.protocols import Merges, Strategy
from thresher.reading.analysis import PageAnalyser
from thresher.reasons import Reason
from thresher.shard.make import make_shard
from thresher.shard.rules import Manners, Scope, ShardRules
from thresher.store.memory import MemoryStore
from thresher.store.records import CrawlRow
from thresher.store.url_records import UrlRow
from thresher.strategies.unfocused import BreadthFirst
from thresher.types import Answer, Candidate, Failed, Fetched, Link, ParsedPage, Redirected, Unchanged
from thresher.web.sitemaps import FEED, LIST
from thresher.web.urls import canonical, url_id

Script = dict[str, Any]
"""URL → list of URLs (a page with links), int (a status), str (a redirect), (status, URL) (another redirect), a Reason,
or a function of the number of requests so far that gives one of these."""


class ScriptedFetcher:
    """Answers from a script after `latency` virtual seconds, and notes when each URL was asked for."""

    def __init__(self, script: Script, latency: float = 0.1) -> None:
        self.script = script
        self.latency = latency
        self.asked: list[tuple[float, str]] = []
        self.active: dict[str, int] = {}
        self.most_active: dict[str, int] = {}
        self._clock = VirtualClock()

    async def fetch(self, candidate: Candidate) -> Answer:
        url = candidate.url
        host = url.split("/")[2]
        self.asked.append((self._clock.now(), url))
        self.active[host] = self.active.get(host, 0) + 1
        self.most_active[host] = max(self.most_active.get(host, 0), self.active[host])
        await asyncio.sleep(self.latency)
        self.active[host] -= 1
        answer = self._answer(url)
        if candidate.copy is not None and isinstance(answer, Fetched) and candidate.copy.etag == answer.header("etag"):
            return Unchanged(url=url, at=answer.at, copy=candidate.copy, headers=answer.headers)
        return answer

    async def close(self) -> None:
        pass

    def requests(self, url: str) -> list[float]:
        return [when for when, asked in self.asked if asked == url]

    def _answer(self, url: str) -> Answer:
        told = self.script.get(url, 404)
        if callable(told):
            told = told(len(self.requests(url)))
        at = self._clock.wall()
        if isinstance(told, Reason):
            return Failed(url=url, reason=told, at=at)
        if isinstance(told, int):
            reasons = {404: Reason.NOT_FOUND, 503: Reason.UNAVAILABLE, 500: Reason.SERVER_ERROR}
            return Failed(url=url, reason=reasons[told], status=told, at=at, retry_after=30.0 if told == 503 else None)
        if isinstance(told, bytes):
            return Fetched(url=url, status=200, headers=[], body=told, raw=told, mime="text/plain", at=at)
        if isinstance(told, str):
            return Redirected(url=url, to=told, status=302, at=at)
        if isinstance(told, tuple):
            return Redirected(url=url, to=told[1], status=told[0], at=at)
        body = "\n".join(told).encode()
        tags = [("ETag", line[1:]) for line in told if line.startswith("#")]
        return Fetched(url=url, status=200, headers=tags, body=body, raw=body, mime="text/html", at=at)


class LineReader:
    """Reads a page that is a list of links, one per line; `!` before one marks nofollow.

    A line `@x` is a directive, `#x` the tag of the page, `=x` its text, `word` where it has none, `%x` an opt-out and
    `~x` a feed.
    """

    def read(self, fetched: Fetched) -> ParsedPage | Failed:
        if fetched.mime == LIST:
            return read_list(fetched, 10_000)
        lines = fetched.body.decode().split("\n") if fetched.body else []
        links = [
            Link(canonical(line.lstrip("!")) or "", f"to {line}", 0, 0, (), ("nofollow",) if line[0] == "!" else ())
            for line in lines
            if line[0] not in "@#=~%"
        ]
        links += [Link(line[1:], "", 0, 0, (), ("alternate",), FEED) for line in lines if line.startswith("~")]
        robots = tuple(line[1:] for line in lines if line.startswith("@"))
        words = [line[1:] for line in lines if line.startswith("=")]
        return ParsedPage(
            url=fetched.url,
            title=fetched.url,
            words=words or ["word"],
            text=" ".join(words or ["word"]),
            links=links,
            terms=dict.fromkeys(words or ["word"], 1),
            robots=robots,
            opt_outs=tuple(line[1:] for line in lines if line.startswith("%")),
            digest=" ".join(words).encode(),
        )


class Bench:
    """An engine over a script, on virtual time; keeps its store so that another engine can go on."""

    def __init__(self, script: Script, *, manners: Manners | None = None, robots: bool = False, **options: Any) -> None:
        self.script = script
        self.manners = manners or Manners()
        self.robots = robots
        self.options = options
        self.store = options.pop("store", None) or MemoryStore()
        self.crawl: CrawlRow | None = None
        self.fetcher = ScriptedFetcher(script)

    def engine(self, **changes: Any) -> Engine:
        """Return a fresh engine on the store; call it inside the virtual loop."""
        options = {**self.options, **changes}
        clock = VirtualClock()
        strategy: Strategy = options.get("strategy") or BreadthFirst()
        self.crawl = options.get("crawl") or self.store.crawls.get()
        self.crawl = self.crawl or self.store.crawls.start("crawl", "test", {}, clock.wall())
        rules = ShardRules(
            manners=self.manners,
            scope=options.get("scope") or Scope(),
            traps=options.get("traps"),
            agent="thresher" if self.robots else "",
            bound=options.get("bound", 30_000),
            bucket=options.get("bucket", 100),
        )
        merge = strategy if isinstance(strategy, Merges) else None
        self.shard = make_shard(self.store, self.crawl.id, clock, rules, merge)
        writer = options.get("writer") or Writer(self.store, threaded=False)
        return Engine(
            store=self.store,
            crawl=self.crawl,
            shard=self.shard,
            fetcher=options.get("fetcher") or self.fetcher,
            analyser=options.get("analyser") or PageAnalyser(LineReader(), strategy, options.get("classifier")),
            strategy=strategy,
            writer=writer,
            journal=Journal(self.crawl.id, self.shard, writer, clock),
            clock=clock,
            budget=options.get("budget") or Budget(),
            pace=Pace(
                parallel=options.get("parallel", 64),
                poll=options.get("poll", 0.0),
                reorder_every=options.get("reorder_every", 500),
                window=options.get("window", 200),
            ),
            focus=options["focus"](self.shard) if "focus" in options else None,
            handler=options.get("handler") or Handler(),
            on_hand=options.get("on_hand"),
            retraining=options.get("retraining"),
            on_progress=options.get("on_progress"),
        )

    def id(self, url: str) -> int:
        """Return the id of a URL."""
        return url_id(url)

    def row(self, url: str) -> UrlRow:
        """Return what the crawl knows of a URL."""
        return self.shard.look(urls=[url]).urls[url]

    def reason(self, url: str) -> tuple[str, str | None]:
        """Return state and reason of a URL."""
        assert self.crawl is not None
        row = self.store.urls.rows(self.crawl.id, [url_id(url)])[url_id(url)]
        return row.state.value, row.reason.value if row.reason else None


def seeds(*urls: str) -> list[Link]:
    """Return seeds."""
    return [Link(url, "", 0, 0) for url in urls]


def flaky(times: int, then: Any, failure: Any = 500) -> Callable[[int], Any]:
    """Return an answer that fails some times first."""
    return lambda number: failure if number <= times else then

"""Explains a URL: how it was found, scored, decided, fetched and stored, or why not."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from thresher.errors import InputError, PluginError
from thresher.notebook_html import link, paragraph, table
from thresher.protocols import Explains, Remembers, Strategy
from thresher.store.decisions import DecisionKind, DecisionRow
from thresher.store.organise_records import PageMove, StepRow
from thresher.store.page_records import DocumentRow, DuplicateRow, VisitRow
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, CrawlRow
from thresher.store.url_records import HostRow, RobotsRow, UrlRow, UrlState
from thresher.web.robots import rules_for
from thresher.web.urls import canonical, host_of, origin_of, url_id
from thresher.web.user_agent import TOKEN

LONGEST_PATH = 50
"""Most pages to show on the path from a seed."""


class Explanation(Struct, frozen=True, kw_only=True):
    """Everything a portal knows about a URL; unknown parts are None or empty."""

    url: str
    crawl: int | None = None
    kind: str = ""
    strategy: str = ""
    row: UrlRow | None = None
    path: list[UrlRow] = []
    visits: list[VisitRow] = []
    document: DocumentRow | None = None
    duplicates: list[DuplicateRow] = []
    inlinks: list[tuple[str, str]] = []
    host: HostRow | None = None
    robots: RobotsRow | None = None
    robots_allow: bool | None = None
    withheld: int = 0
    """Hosts that the crawl leaves idle on purpose because better pages come first."""
    inherited: int | None = None
    """The crawl this one took the URL over from; its strategy set the score."""
    members: list[str] = []
    """The stored members, if the URL is an archive."""
    decision: DecisionRow | None = None
    """The latest decision of a person about it."""
    moves: list[tuple[StepRow, PageMove]] = []
    """The steps after a crawl that moved it and are still in effect, oldest first."""
    account: list[tuple[str, float, float]] = []
    """Feature, value and contribution to the priority, according to the strategy's last saved state."""

    def __repr__(self) -> str:
        state = f"{self.row.state.value} in crawl {self.crawl}" if self.row is not None else "not seen by a crawl"
        judged = self.document.judgement if self.document is not None else None
        topic = "" if judged is None else f", topic {judged.topic}" if judged.topic else ", rejected by every topic"
        return f"Explanation({self.url!r}, {state}{topic})"

    def _repr_html_(self) -> str:
        row, judged = self.row, self.document.judgement if self.document is not None else None
        why = f" ({row.reason})" if row is not None and row.reason else ""
        state = f"{row.state}{why} in crawl {self.crawl}" if row is not None else "not seen by a crawl"
        words = ", ".join(f"{word} {weight:+.2f}" for word, weight in judged.evidence[:10]) if judged else ""
        verdict = f"{judged.topic or 'rejected by every topic'}, confidence {judged.confidence:.2f}" if judged else ""
        rows = [[str(step.candidate.depth), link(step.candidate.url), step.candidate.anchor] for step in self.path]
        shown = paragraph(link(self.url), state, verdict, f"words: {words}" if words else "")
        return shown + table(["hops", "path from the start page", "text of the link"], rows)


Maker = Callable[[str, Mapping[str, Mapping[str, Any]]], Strategy]
"""Makes a strategy from its name and tables of parameters."""


def explain(store: Store, url: str, crawl: int | None = None, make: Maker | None = None) -> Explanation | None:
    """Return what the newest crawl that saw a URL, or the given one, knows about it; None if it is not an http(s) URL.

    If `make` is given, a strategy that can account for its scores is asked to.

    Raises InputError if there is no such crawl.

    >>> from thresher.store.memory import MemoryStore
    >>> explain(MemoryStore(), "http://nobody.test/").crawl is None, explain(MemoryStore(), "no address")
    (True, None)
    """
    address = canonical(url)
    if address is None:
        return None
    newest = store.crawls.get(crawl)
    if crawl is not None and newest is None:
        raise InputError(f"There is no crawl {crawl} in this portal.", "Leave --crawl out for the latest.")
    ident = url_id(address)
    found, row = _newest_row(store, newest, ident, back=crawl is None)
    pricing = _pricing(store, found, row) if found and row else None
    robots = store.hosts.robots(origin_of(address))
    host = host_of(address)
    return Explanation(
        url=address,
        crawl=found.id if found else None,
        kind=found.kind if found else "",
        strategy=pricing[0].strategy if pricing else found.strategy if found else "",
        row=row,
        path=_path(store, found.id, row) if found and row else [],
        visits=store.documents.visits(ident),
        document=store.documents.document(ident),
        duplicates=store.duplicates.of(ident),
        inlinks=store.documents.inlinks(ident),
        host=store.hosts.hosts(found.id, [host]).get(host) if found else None,
        robots=robots,
        robots_allow=rules_for(robots.status, robots.body, TOKEN).allowed(address) if robots else None,
        withheld=found.progress.withheld if found else 0,
        inherited=pricing[0].id if pricing and found and pricing[0].id != found.id else None,
        decision=next(reversed(_decided(store, ident)), None),
        moves=store.organising.of_page(ident),
        members=[member.url for member in store.documents.members(address)],
        account=_account(store, *pricing, make) if pricing and make else [],
    )


def _decided(store: Store, ident: int) -> list[DecisionRow]:
    """Return the decisions about a page that are in effect, oldest first."""
    rows = store.decisions.of_page(ident)
    return [row for row in rows if row.undone is None and row.kind is not DecisionKind.LATER]


def _pricing(store: Store, crawl: CrawlRow, row: UrlRow) -> tuple[CrawlRow, UrlRow]:
    """Return the crawl that scored a URL and its row there: the predecessor if the URL was taken over from it."""
    before = store.crawls.get(crawl.predecessor) if crawl.predecessor else None
    if before is None or row.state is not UrlState.DONE:
        return crawl, row
    known = store.urls.rows(before.id, [row.id]).get(row.id)
    # A URL that is taken over keeps its score; a different score means that it was found and scored again.
    taken = known is not None and known.state is UrlState.DONE and known.candidate.priority == row.candidate.priority
    return (before, known) if known is not None and taken else (crawl, row)


def _account(store: Store, crawl: CrawlRow, row: UrlRow, make: Maker) -> list[tuple[str, float, float]]:
    """Return the account that a crawl's strategy gives of a score, or nothing if it cannot."""
    try:
        strategy = make(crawl.strategy, crawl.strategy_parameters)
    except PluginError:
        # The crawl used a plug-in that is no longer installed.
        return []
    if not isinstance(strategy, Explains):
        return []
    saved = store.crawls.strategy_state(crawl.id)
    if saved is not None and isinstance(strategy, Remembers):
        strategy.restore(saved[0])
    return strategy.account(row.candidate)


def _newest_row(
    store: Store, newest: CrawlRow | None, ident: int, *, back: bool
) -> tuple[CrawlRow | None, UrlRow | None]:
    """Return the newest crawl that saw a URL, and its row; if none did, or without `back`, the newest crawl.

    A crawl for a query has rows for all stored pages, but has seen only those that it scored.
    """
    crawl = newest
    while crawl is not None:
        row = store.urls.rows(crawl.id, [ident]).get(ident)
        met = row is not None and (crawl.kind is not CrawlKind.ASK or bool(row.candidate.priority))
        if met or not back:
            return crawl, row
        crawl = store.crawls.get(crawl.id - 1)
    return newest, None


def way_to(store: Store, url_id: int) -> list[UrlRow]:
    """Return the rows from a start page to a URL in the newest crawl that saw it; empty if none did."""
    found, row = _newest_row(store, store.crawls.get(), url_id, back=True)
    return _path(store, found.id, row) if found and row else []


def _path(store: Store, crawl: int, row: UrlRow) -> list[UrlRow]:
    """Return the rows from the seed to a URL."""
    path = [row]
    seen = {row.id}
    while path[0].candidate.parent and len(path) < LONGEST_PATH:
        parent = url_id(path[0].candidate.parent)
        found = store.urls.rows(crawl, [parent]).get(parent)
        if found is None or found.id in seen:
            break
        seen.add(found.id)
        path.insert(0, found)
    return path

"""The interfaces of the system: what can be replaced by another implementation.

Each protocol has one to three methods, except for what a strategy may ask (`View`, `KnownPages`). A strategy only needs
`Strategy`; every further ability is a separate protocol that the engine looks for with `isinstance`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self, runtime_checkable

from thresher.reasons import Reason
from thresher.site_types import SiteChanges, SitePageRow, SiteRow
from thresher.types import Answer, Candidate, Judgement, Memo, ParsedPage, PriceMeaning, Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Fetcher(Protocol):
    """Makes one exchange with the web: over HTTP, with the generated web, or with a replayed archive."""

    async def fetch(self, candidate: Candidate) -> Answer:
        """Return `Fetched` for a complete 200, `Redirected` for one hop, `Failed` for everything else; never raise.

        If the candidate carries a copy, the request is conditional: `Unchanged` means that the page has not changed.
        """

    async def close(self) -> None:
        """Close all connections; the fetcher cannot be used afterwards."""


@runtime_checkable
class Prepares(Protocol):
    """A fetcher that can resolve the host names of upcoming fetches in advance."""

    def prepare(self, hosts: Iterable[str]) -> int:
        """Start lookups of hosts, most urgent first, and return how many were started; never wait or raise.

        Nothing is sent to the hosts: a lookup is not a request.
        """


class Clock(Protocol):
    """A clock: real or virtual."""

    def now(self) -> float:
        """Return monotonic seconds (the event loop's); for waiting only."""

    def wall(self) -> float:
        """Return seconds since the epoch; for records, may jump."""


@runtime_checkable
class PageClassifier(Protocol):
    """Judges whole pages."""

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Learn from pages with their topic; None marks a page of no topic."""

    def classify(self, page: ParsedPage) -> Judgement:
        """Return a judgement; its topic is None if every topic was rejected."""


@runtime_checkable
class TermScorer(Protocol):
    """A classifier that judges any bag of stems, such as the words around a link, not only whole pages."""

    def relevance(self, bags: Sequence[Mapping[str, int]]) -> list[float]:
        """Return for each bag of stems with counts the calibrated probability, 0 to 1, that it is on topic."""


@runtime_checkable
class SpanScorer(Protocol):
    """A classifier that judges many spans of one text at once, far faster than bag by bag."""

    def subjects(self) -> tuple[str, ...]:
        """Return the topics that it judges, in column order; empty if it cannot judge spans."""

    def log_odds(self, stems: Sequence[str], spans: "NDArray[np.int64]") -> "NDArray[np.float64]":
        """Return a row for each span (start, end) of the stems, with the log-odds of each topic."""


@runtime_checkable
class Tells(Protocol):
    """A classifier that knows which stems identify a topic."""

    def telling(self, topic: str) -> Mapping[str, float]:
        """Return the weights of the stems that identify a topic, given its path; empty if it is unknown."""


class KnownPages(Protocol):
    """The pages of the portal, from this crawl or an earlier one, and the links between them.

    All queries are batched. The pages include those not yet written, up to the one being ranked; URLs of pages that the
    portal does not have are left out of the results.
    """

    def urls(self) -> Iterator[str]:
        """Yield the URL of every page, in the order they were last written or judged."""

    def judgements(self, urls: Sequence[str]) -> Mapping[str, Judgement]:
        """Return the newest judgement of each page that was judged."""

    def terms(self, urls: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        """Return the stems of each page with their counts."""

    def outlinks(self, urls: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Return the links of each page: every target once, in page order."""

    def inlinks(self, urls: Sequence[str], most: int = 100) -> Mapping[str, Sequence[str]]:
        """Return up to `most` pages that link to each URL, known or not; deterministic, with an entry for every URL."""


class View(Protocol):
    """What a strategy can see of the crawl; read-only."""

    @property
    def known(self) -> KnownPages:
        """The pages in the portal."""

    def memo(self, url: str) -> Memo | None:
        """Return the memo passed on to a URL of this crawl, or None if the URL is unknown."""

    def yields(self, host: str) -> tuple[int, int]:
        """Return how many pages of a host were fetched and how many of them were accepted by a topic."""

    def waiting(self) -> dict[str, int]:
        """Return the number of waiting candidates by queue."""

    def under_way(self) -> dict[str, int]:
        """Return the number of candidates being fetched or waiting for a retry, by queue."""

    def pages(self) -> int:
        """Return the number of pages fetched by this crawl so far."""

    def best(self, limit: int) -> list[Candidate]:
        """Return up to `limit` waiting candidates of each queue, highest priority first."""


@runtime_checkable
class Strategy(Protocol):
    """Decides what to fetch next by scoring the links of a page; it never crawls itself."""

    def read(self, page: ParsedPage, judgement: Judgement | None) -> Any:
        """Return the features of a page and its links that `rank` needs, or None. Must be pure; runs in a worker.

        The page contains only links that may be followed. The result reaches `rank` as `Reading.features`, decoded as
        this method's annotated return type: msgspec structs, numbers, strings, or lists of these.
        """

    def rank(self, reading: Reading[Any], view: View) -> Iterable[Candidate]:
        """Return scored candidates for the links of a page; runs in the coordinator."""


@runtime_checkable
class Prices(Protocol):
    """A strategy that declares the scale of its scores; other scores are only an order, higher is better."""

    prices: PriceMeaning
    """Log-odds that the page is on topic, the share of a query, or meaningless: then no page is worth waiting for."""


@runtime_checkable
class Consults(Protocol):
    """A strategy that asks the crawl's page classifier about parts of pages."""

    def consult(self, classifier: TermScorer) -> None:
        """Set the classifier to use; called before the first page and after each retraining."""


@runtime_checkable
class Trains(Protocol):
    """A strategy that learns from examples before the crawl."""

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Learn from pages with their topic; None marks a page of no topic."""


@runtime_checkable
class Reorders(Protocol):
    """A strategy that looks at the whole crawl every N pages and rescores waiting URLs."""

    def reorder(self, view: View) -> Iterable[tuple[str, tuple[float, ...]]]:
        """Return (URL, new priority) pairs; URLs that are not waiting are ignored."""


@runtime_checkable
class ReordersAtItsPace(Reorders, Protocol):
    """A strategy that sets its own interval between reorderings."""

    reorder_every: int
    """Pages between two reorderings, at least 1."""


@runtime_checkable
class Explains(Protocol):
    """A strategy that can explain the score of a link."""

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return (feature, value, contribution to the priority) triples in display order.

        Empty if it did not set the score: stored candidates may have the memo of another strategy.
        """


@runtime_checkable
class Chooses(Protocol):
    """A strategy that chooses which queue is served next, instead of serving them in turn."""

    def choose(self, ready: Sequence[str], view: View) -> str | None:
        """Return one of at most 32 ready queues, or None to wait until more has arrived.

        None must not be returned if nothing is in flight.
        """


@runtime_checkable
class Closes(Protocol):
    """A strategy that may finish a queue before it is empty, for example that of a decided site."""

    def close_queues(self, view: View) -> Iterable[str]:
        """Return the queues to close; called after every ranked page. A queue may be named more than once.

        Everything waiting in such a queue is refused, as is everything ranked for it later, even after a kill. What is
        in flight is still fetched and ranked.
        """


@runtime_checkable
class Clears(Protocol):
    """A strategy that empties queues it does not use again and need not remember."""

    def clear_queues(self, view: View) -> Iterable[str]:
        """Return the queues to empty; called after every ranked page."""


@runtime_checkable
class Replaces(Protocol):
    """A strategy that offers a replacement for a URL that yielded no page."""

    def missed(self, candidate: Candidate, reason: Reason) -> Iterable[Candidate]:
        """Return scored candidates to fetch instead; called when a URL is abandoned."""


@runtime_checkable
class Ends(Protocol):
    """A strategy that knows when a crawl has found enough."""

    def ended(self) -> str:
        """Return why the crawl is over, as a value of `crawl.budget.Stop`; empty while it continues."""


@runtime_checkable
class Merges(Protocol):
    """A strategy with its own rule for links found again while their URL is waiting."""

    def merge(self, waiting: Candidate, new: Candidate) -> Candidate:
        """Return the candidate that stays in the queue; by default the better one."""


@runtime_checkable
class Learns(Protocol):
    """A strategy that learns online from the pages it led to."""

    def observe(self, candidate: Candidate, judgement: Judgement | None) -> None:
        """Learn what a candidate turned out to be; called once per page, in log order."""


@runtime_checkable
class Remembers(Protocol):
    """A strategy with state that must survive a kill."""

    def state(self) -> dict[str, Any]:
        """Return everything needed to continue, as JSON data."""

    def restore(self, state: dict[str, Any]) -> None:
        """Restore what `state` returned, possibly in another process or version."""


@runtime_checkable
class SavesAtItsPace(Remembers, Protocol):
    """A strategy that sets how often its state is saved."""

    save_every: int
    """Pages between two saved states; with 1, every commit includes one, so a kill loses nothing learned."""


@runtime_checkable
class KeepsSites(Protocol):
    """A strategy that reads and decides about whole sites.

    Its decisions are stored together with the pages behind them, so those of a killed crawl always match its pages.
    """

    def site_changes(self, view: View) -> SiteChanges:
        """Return the sites and pages that changed since the last call; they are written in the next transaction."""

    def site_counts(self) -> tuple[int, ...]:
        """Return how many sites were decided, how many are relevant, and how many are open; or an empty tuple."""

    def recall(self, sites: Iterable[SiteRow], pages: Mapping[str, Sequence[SitePageRow]]) -> None:
        """Continue from the stored sites of the crawl, and from the stored pages of the open ones."""

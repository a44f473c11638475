"""The seams of the system: what can be exchanged for another implementation.

Each protocol has one to three methods, but for what a strategy may ask (`View`, `KnownPages`). A strategy needs only
`Strategy`; every further ability is a protocol of its own that the engine looks for with `isinstance`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self, runtime_checkable

from thresher.reasons import Reason
from thresher.types import Answer, Candidate, Judgement, Memo, Page, PriceMeaning, Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Fetcher(Protocol):
    """Makes one exchange with the web: HTTP, the generated web, or a replayed archive."""

    async def fetch(self, candidate: Candidate) -> Answer:
        """Return `Fetched` for a complete 200, `Redirected` for one hop, `Failed` for everything else; never raise.

        A candidate that carries a copy is asked for only if it has changed: `Unchanged` says that it has not.
        """

    async def close(self) -> None:
        """Give back connections; the fetcher cannot be used afterwards."""


@runtime_checkable
class Prepares(Protocol):
    """A fetcher that can use the time before a fetch: to look up the names of the hosts that come next."""

    def prepare(self, hosts: Iterable[str]) -> int:
        """Begin to look up hosts, the most urgent first, and return how many look-ups were begun; never wait or raise.

        No host is sent anything: a look-up is no request.
        """


class Clock(Protocol):
    """Tells time; real or virtual."""

    def now(self) -> float:
        """Return seconds on a scale that never jumps (the event loop's); good for waiting only."""

    def wall(self) -> float:
        """Return seconds since the epoch; good for records, may jump."""


@runtime_checkable
class PageClassifier(Protocol):
    """Judges whole pages."""

    def fit(self, examples: Sequence[tuple[Page, str | None]]) -> Self:
        """Learn from pages with their topic; None marks a page of no topic."""

    def classify(self, page: Page) -> Judgement:
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
        """Return the topics that are judged, in the order of the columns; empty if it cannot judge spans."""

    def log_odds(self, stems: Sequence[str], spans: "NDArray[np.int64]") -> "NDArray[np.float64]":
        """Return a row for each span (start, end) of the stems, with the log-odds of each topic."""


@runtime_checkable
class Tells(Protocol):
    """A classifier that knows which stems tell a topic."""

    def telling(self, topic: str) -> Mapping[str, float]:
        """Return the weights of the stems that tell a topic by its written path; empty for one it does not know."""


class KnownPages(Protocol):
    """The pages that the portal has, by this crawl or an earlier one, and the links between them.

    Everything is asked for in batches. What is not written yet is included, up to the page that is being ranked; URLs
    of pages that the portal does not have are left out of what is returned.
    """

    def urls(self) -> Iterator[str]:
        """Yield the URL of every page, in the order in which they were last written or judged."""

    def judgements(self, urls: Sequence[str]) -> Mapping[str, Judgement]:
        """Return the newest judgement of each page that was judged."""

    def terms(self, urls: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
        """Return the stems of each page with their counts."""

    def outlinks(self, urls: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Return where each page links to: every target once, in the order of the page."""

    def inlinks(self, urls: Sequence[str], most: int = 100) -> Mapping[str, Sequence[str]]:
        """Return at most `most` pages that link to each URL, known or not, always the same ones; no URL is left out."""


class View(Protocol):
    """What a strategy may know of the crawl: read-only and closed."""

    @property
    def known(self) -> KnownPages:
        """Return the pages at hand."""

    def memo(self, url: str) -> Memo | None:
        """Return what was handed down to a URL of this crawl, or None if the URL is unknown."""

    def yields(self, host: str) -> tuple[int, int]:
        """Return how many pages of a host were fetched and how many of them were accepted by a topic."""

    def waiting(self) -> dict[str, int]:
        """Return the number of candidates that wait, by queue."""

    def under_way(self) -> dict[str, int]:
        """Return the number of candidates that are being fetched or wait for another try, by queue."""

    def pages(self) -> int:
        """Return the number of pages fetched by this crawl so far."""

    def best(self, limit: int) -> list[Candidate]:
        """Return at most `limit` waiting candidates of each queue, those of the highest priority."""


@runtime_checkable
class Strategy(Protocol):
    """Decides what to fetch next by scoring the links of a page; it never crawls itself."""

    def read(self, page: Page, judgement: Judgement | None) -> Any:
        """Return what is to be known of a page and its links when they are ranked, or None; pure, runs in a worker.

        The page has only those links that are followed. What is returned reaches `rank` as `Reading.features`, decoded
        as the type that this method is annotated with: msgspec structs, numbers, texts, lists of these.
        """

    def rank(self, reading: Reading[Any], view: View) -> Iterable[Candidate]:
        """Return the candidates the page gives rise to, scored; runs in the coordinator."""


@runtime_checkable
class Prices(Protocol):
    """A strategy that says what its scores are; those of others are an order, in which the higher is the better."""

    prices: PriceMeaning
    """Log-odds that the page is on topic, or nothing: then no page is worth waiting for rather than another."""


@runtime_checkable
class Consults(Protocol):
    """A strategy that asks the crawl's page classifier about parts of pages."""

    def consult(self, classifier: TermScorer) -> None:
        """Take the classifier to ask from now on; called before the first page and after each retraining."""


@runtime_checkable
class Trains(Protocol):
    """A strategy that learns from examples before the crawl."""

    def fit(self, examples: Sequence[tuple[Page, str | None]]) -> Self:
        """Learn from pages with their topic; None marks a page of no topic."""


@runtime_checkable
class Reorders(Protocol):
    """A strategy that looks at the whole crawl every N pages and scores waiting URLs again."""

    def reorder(self, view: View) -> Iterable[tuple[str, tuple[float, ...]]]:
        """Return (URL, new priority) pairs; URLs that do not wait are passed over."""


@runtime_checkable
class ReordersAtItsPace(Reorders, Protocol):
    """A strategy that says itself how many pages there are between two reorderings."""

    reorder_every: int
    """Pages between two reorderings, at least 1."""


@runtime_checkable
class Accounts(Protocol):
    """A strategy that can account for the score of a link."""

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return (feature, value, what it adds to the priority), in the order in which they should be told.

        Empty if it did not set the score: stored candidates may hold the memo of another kind of strategy.
        """


@runtime_checkable
class Chooses(Protocol):
    """A strategy that says which queue is served next, in place of serving them in turn."""

    def choose(self, ready: Sequence[str], view: View) -> str | None:
        """Return one of the at most 32 ready queues; None to take nothing until something more has arrived.

        None must not be returned while nothing is under way.
        """


@runtime_checkable
class Closes(Protocol):
    """A strategy that is done with a queue before it is empty: with a site that it has decided about, for example."""

    def close_queues(self, view: View) -> Iterable[str]:
        """Return the queues to close; asked after every page that was ranked. One may be named more than once.

        All that waits in such a queue is turned away, and so is whatever is ranked for it later, also after a kill.
        What is under way is still fetched and ranked.
        """


@runtime_checkable
class Clears(Protocol):
    """A strategy that empties queues which it does not use again, and of which nothing need be remembered."""

    def clear_queues(self, view: View) -> Iterable[str]:
        """Return the queues to empty; asked after every page that was ranked."""


@runtime_checkable
class Replaces(Protocol):
    """A strategy that knows what to fetch in place of a URL that gave no page."""

    def missed(self, candidate: Candidate, reason: Reason) -> Iterable[Candidate]:
        """Return what is to be fetched instead, priced; called when a URL is given up."""


@runtime_checkable
class Ends(Protocol):
    """A strategy that knows when a crawl has found enough."""

    def ended(self) -> str:
        """Return why the crawl is over, as a value of `crawl.budget.Stop`; empty while it goes on."""


@runtime_checkable
class Merges(Protocol):
    """A strategy with its own rule for a link that is found again while its URL waits."""

    def merge(self, waiting: Candidate, new: Candidate) -> Candidate:
        """Return the candidate that goes on waiting; the default is the better one."""


@runtime_checkable
class Learns(Protocol):
    """A strategy that learns on-line from the pages it led to."""

    def observe(self, candidate: Candidate, judgement: Judgement | None) -> None:
        """Record what a candidate turned out to be; called once per page, in the order of the log."""


@runtime_checkable
class Remembers(Protocol):
    """A strategy with state that must survive a kill."""

    def state(self) -> dict[str, Any]:
        """Return all that is needed to continue, as JSON data."""

    def restore(self, state: dict[str, Any]) -> None:
        """Take back what `state` returned, possibly in another process and version."""


@runtime_checkable
class SavesAtItsPace(Remembers, Protocol):
    """A strategy that says itself how often its state is saved."""

    save_every: int
    """Pages between two saved states; with 1 every commit has one, so that a kill undoes no more than pages."""

"""Explains a site: which pages were read, how each was judged, and why the crawl left it."""

from collections.abc import Sequence
from typing import Final, TypedDict

from msgspec import Struct

from thresher.site_types import SiteEnd, SitePageRow, SiteRow, SiteState, SiteVerdict
from thresher.store.protocol import Store
from thresher.store.records import CrawlRow
from thresher.web.urls import url_id

WORDS: Final = 12

LEFT: Final = {
    SiteEnd.SURE: "it was certain enough, and its links were collected",
    SiteEnd.PAGE_LIMIT: "the page limit for a site was reached",
    SiteEnd.NO_PAGES: "it had no more pages",
    SiteEnd.SAME_HOME: "its home page is that of a site already known",
}
"""Why a crawl left a site, in words."""


class SitePageData(TypedDict):
    """A page of the site, in reading order.

    `relevance` is the probability that it belongs to any topic, null if it has too little text; `posterior` is the
    probability of the site's topic after this page.
    """

    url: str
    title: str
    relevance: float | None
    posterior: float


class SiteStory(TypedDict):
    """Everything known about a site; `words` are the strongest for its topic, `found_on` is the page that led to it.

    `verdict` is your decision: `accepted`, `rejected` or null.
    """

    site: str
    topic: str
    posterior: float
    pages_read: int
    state: str
    home: str
    same_as: str
    found_on: str
    why_left: str
    best_pages: list[str]
    words: list[str]
    pages: list[SitePageData]
    verdict: str | None


class ExplainedPage(Struct, frozen=True):
    """A page of a site.

    `relevance` is the probability that it belongs to any topic, None if it has too little text; `posterior` is the
    probability of the site's topic after this page.
    """

    url: str
    title: str
    relevance: float | None
    posterior: float


class SiteExplanation(Struct, frozen=True):
    """Everything known about a site: `words` are the strongest for its topic, `found_on` is the page that led to it."""

    row: SiteRow
    pages: list[ExplainedPage]
    best: list[str]
    words: list[str]
    why_left: str
    found_on: str
    verdict: SiteVerdict | None = None

    def to_dict(self) -> SiteStory:
        """Return the object that `thresher sites show --json` prints."""
        row = self.row
        return {
            "site": row.site,
            "topic": row.topic,
            "posterior": row.posterior,
            "pages_read": row.pages,
            "state": row.state.value,
            "home": row.home,
            "same_as": row.same_as,
            "found_on": self.found_on,
            "why_left": self.why_left,
            "best_pages": self.best,
            "words": self.words,
            "pages": [
                {"url": page.url, "title": page.title, "relevance": page.relevance, "posterior": page.posterior}
                for page in self.pages
            ],
            "verdict": None if self.verdict is None else ("accepted" if self.verdict.accepted else "rejected"),
        }

    def sentence(self) -> str:
        """Return in one sentence what was decided, and why the crawl left the site."""
        row = self.row
        if row.state is SiteState.SAME:
            return f"The same site as {row.same_as}."
        topic = f"{row.topic} with a probability of {row.posterior:.2f}" if row.topic else "no topic: it has no text"
        read = f"after {row.pages} page{'' if row.pages == 1 else 's'}"
        if row.state is SiteState.OPEN:
            return f"Still being read: {topic if row.topic else 'too little text'} {read}."
        decided = "Relevant" if row.state is SiteState.RELEVANT else "Not relevant"
        return f"{decided}: {topic}, {read}; left because {self.why_left}."


def explain_site(store: Store, crawl: CrawlRow, site: str) -> SiteExplanation | None:
    """Return the explanation of a site, or None if the crawl has not seen it."""
    row = store.sites.get(crawl.id, site)
    if row is None:
        return None
    rows = store.sites.pages(crawl.id, site)
    told = [_told(store, page) for page in rows]
    clear = sorted((page for page in told if page.relevance is not None), key=lambda page: -(page.relevance or 0.0))
    home = store.urls.rows(crawl.id, [url_id(row.home)]).get(url_id(row.home))
    return SiteExplanation(
        row=row,
        pages=told,
        best=[page.url for page in clear[:3]],
        words=_words(store, rows, row.topic),
        why_left=LEFT[row.end] if row.end is not None else "it is still being read",
        found_on=(home.candidate.parent or "") if home is not None else "",
        verdict=next((said for said in store.sites.verdicts() if said.site == site), None),
    )


def _told(store: Store, page: SitePageRow) -> ExplainedPage:
    document = store.documents.document(url_id(page.url))
    relevance = round(1.0 - page.confidences[-1], 4) if page.confidences else None
    return ExplainedPage(page.url, document.title if document is not None else "", relevance, page.posterior)


def _words(store: Store, pages: Sequence[SitePageRow], topic: str) -> list[str]:
    """Return the words that the page classifier named for the topic, highest total weight first."""
    weights: dict[str, float] = {}
    for page in pages:
        judged = store.documents.judgement(url_id(page.url))
        if judged is not None and judged.topic == topic:
            for word, weight in judged.evidence:
                weights[word] = weights.get(word, 0.0) + weight
    return [word for word, weight in sorted(weights.items(), key=lambda item: (-item[1], item[0])) if weight > 0][
        :WORDS
    ]

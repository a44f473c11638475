"""Measures what documents add to a crawl."""

from typing import Final

from msgspec import Struct

from thresher.bench.document_measures.measure import DocumentMeasure, DocumentPlan
from thresher.simulate import simulate
from thresher.simweb.file_pages import document_url, form_of
from thresher.simweb.pages import Flag
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web

HTML_ONLY: Final = 'network.types={"text/html"=10000000}'
NO_TRAPS: Final = "manners.traps=false"


class CrawlFigures(Struct, frozen=True, kw_only=True):
    """What documents add to a crawl of a generated web in which a `share` of the pages are files.

    Recall is the share of all targets (pages on a topic) that a complete crawl stores; `html_recall` is that of a crawl
    that reads only HTML.
    """

    share: float
    pages: int
    targets: int
    files: int
    recall: float
    html_recall: float
    stored: int
    html_stored: int


def measure_crawl(pages: int = 2000, share: float = 0.2, seed: int = 0) -> CrawlFigures:
    """Crawl a generated web completely, once with its files and once with HTML only."""
    web = Web(WebParameters(pages=pages, hosts=max(2, pages // 40), seed=seed, profile="finite", documents=share))
    targets = {page for topic in web.topics() for page in map(web.page, web.targets(topic)) if page is not None}
    kept = (page for page in targets if web.reachable[page] and not web.pages.flagged(page, Flag.NOINDEX))
    wanted = {document_url(web, page) for page in kept}
    stored = set(simulate(web, overrides=[NO_TRAPS]).store.documents.urls())
    html = set(simulate(web, overrides=[NO_TRAPS, HTML_ONLY]).store.documents.urls())
    files = sum(form_of(web, page) != "html" for page in range(len(web.urls)))
    return CrawlFigures(
        share=share,
        pages=pages,
        targets=len(wanted),
        files=files,
        recall=round(len(wanted & stored) / len(wanted), 4),
        html_recall=round(len(wanted & html) / len(wanted), 4),
        stored=len(stored),
        html_stored=len(html),
    )


def measure(plan: DocumentPlan) -> CrawlFigures:
    """Crawl the web of a plan."""
    return measure_crawl(plan.pages, plan.share)


def tell(found: CrawlFigures) -> list[str]:
    """Return a line about the results with and without files."""
    return [
        f"{found.files} of {found.pages:,} pages are files: recall {found.recall:.3f} ({found.stored:,} pages stored), "
        f"with HTML alone {found.html_recall:.3f} ({found.html_stored:,})"
    ]


MEASURE: Final = DocumentMeasure("crawl", measure, tell)

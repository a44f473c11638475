"""The content of the document page: why its topic, how it was found, what links to it, its versions."""

import re
from typing import Final

from msgspec import Struct

from thresher.portal.citing import Citation
from thresher.portal.ids import page_name
from thresher.portal.library import Library
from thresher.store.explain import way_to
from thresher.store.page_records import DocumentRow, VisitRow
from thresher.store.presence import is_good
from thresher.types import Judgement
from thresher.web.urls import url_id

SHOWN_LINKS: Final = 10
_AXIS: Final = 20.0
"""Where the bars of evidence begin, in percent of the width."""

_REACH: Final = 76.0
_YEAR: Final = re.compile(r"(19|20)\d\d")


class Bar(Struct, frozen=True):
    """A word and its contribution to the confidence; start and width of its bar are in percent."""

    word: str
    weight: float
    start: float
    width: float


class WordEvidence(Struct, frozen=True):
    """The words for and against a topic: the bars, the contribution of all other words, the sum, and the threshold."""

    bars: list[Bar]
    rest: Bar | None
    total: float | None
    border: float | None


class PathStep(Struct, frozen=True, kw_only=True):
    """One page on the path from a start page; `anchor` is the text of the link that led to it.

    `topic` is None if the page is off-topic or was not kept; `name` is empty if the portal does not have it.
    """

    url: str
    title: str
    anchor: str
    name: str = ""
    topic: str | None = None
    given: bool = False


class LinkEntry(Struct, frozen=True):
    """A page that links here, or that this page links to."""

    name: str
    title: str
    url: str
    anchor: str
    topic: str | None


class Version(Struct, frozen=True):
    """A visit that fetched or confirmed the page, by its position among the visits; `kept` if there is a copy."""

    number: int
    at: float
    size: int
    changed: bool
    kept: bool


def evidence(judged: Judgement) -> WordEvidence:
    """Return the words of a judgement as bars whose displayed values, with two digits each, add up.

    >>> told = evidence(Judgement(topic="tea", confidence=0.5, probability=0.9, evidence=(("pot", 0.7),), border=0.1))
    >>> round(told.total, 2), round(told.rest.weight, 2)
    (0.6, -0.1)
    """
    shown = [(word, round(weight, 2)) for word, weight in judged.evidence]
    total = None if judged.border is None else round(judged.confidence, 2) + round(judged.border, 2)
    rest = None if total is None else round(total - sum(weight for _, weight in shown), 2)
    weights = [weight for _, weight in shown] + ([] if rest is None else [rest])
    largest = max((abs(weight) for weight in weights), default=0.0) or 1.0
    ordered = sorted(shown, key=lambda found: -found[1])
    bars = [_bar(word, weight, largest) for word, weight in ordered]
    return WordEvidence(bars, None if rest is None else _bar("", rest, largest), total, judged.border)


def _bar(word: str, weight: float, largest: float) -> Bar:
    if weight >= 0:
        return Bar(word, weight, _AXIS, _REACH * weight / largest)
    width = min(_AXIS, _REACH * -weight / largest)
    return Bar(word, weight, _AXIS - width, width)


def way(library: Library, document: DocumentRow) -> list[PathStep]:
    """Return the pages from a start page to a document, including the document."""
    given = set(library.store.start_urls.urls())
    given |= {url for url, _ in library.topics().start_urls()}
    steps: list[PathStep] = []
    for row in way_to(library.store, document.url_id):
        known = library.store.documents.document(row.id)
        judged = known.judgement if known else None
        steps.append(
            PathStep(
                url=row.candidate.url,
                title=(known.title if known else "") or row.candidate.url,
                anchor=row.candidate.anchor,
                name=page_name(row.id) if known else "",
                topic=judged.topic if judged else None,
                given=row.candidate.url in given and not steps,
            )
        )
    return steps


def links_here(library: Library, document: DocumentRow) -> list[LinkEntry]:
    """Return some pages that link to a document, each once."""
    found: dict[str, str] = {}
    for url, anchor in library.store.documents.inlinks(document.url_id):
        if url != document.url:
            found.setdefault(url, anchor)
        if len(found) >= SHOWN_LINKS:
            break
    return _neighbours(library, list(found.items()))


def links_from(library: Library, document: DocumentRow) -> list[LinkEntry]:
    """Return some accepted pages that a document links to, each once."""
    anchors = {link.target_url: link.anchor for link in reversed(document.links) if link.target_url != document.url}
    ids = {url_id(url): url for url in dict.fromkeys(link.target_url for link in document.links) if url in anchors}
    kept = library.store.catalogue.pages(list(ids))
    shown = [(ids[id_], anchors[ids[id_]]) for id_ in ids if id_ in kept][:SHOWN_LINKS]
    return _neighbours(library, shown)


def _neighbours(library: Library, links: list[tuple[str, str]]) -> list[LinkEntry]:
    known = library.store.catalogue.pages([url_id(url) for url, _ in links])
    result = []
    for url, anchor in links:
        page = known.get(url_id(url))
        name = page_name(url_id(url))
        result.append(LinkEntry(name, (page.title if page else "") or url, url, anchor, page.topic if page else None))
    return result


def versions(visits: list[VisitRow]) -> list[Version]:
    """Return the visits that fetched or confirmed a page, newest first."""
    found: list[Version] = []
    digest = b""
    for number, visit in enumerate(visits):
        if not is_good(visit.outcome, visit.reason):
            continue
        changed = visit.outcome == "fetched" and visit.digest != digest
        digest = visit.digest or digest
        found.append(Version(number, visit.at, visit.size, changed, bool(visit.archive) and visit.outcome == "fetched"))
    return found[::-1]


def reference_of(document: DocumentRow) -> Citation:
    """Return a document as a reference."""
    year = _YEAR.search(document.about.get("created", "") or document.last_modified)
    return Citation(
        name=page_name(document.url_id),
        title=document.title or document.url,
        url=document.url,
        site=document.host,
        seen=document.at,
        author=document.about.get("author", ""),
        year=year[0] if year else "",
    )

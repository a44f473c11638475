"""An explanation as a JSON object."""

from typing import Any, TypedDict

from thresher.reasons import MEANING, UNMET
from thresher.store.decisions import DecisionRow
from thresher.store.explain import Explanation
from thresher.store.page_records import DocumentRow, VisitRow
from thresher.store.url_records import HostRow
from thresher.text.words import words
from thresher.types import Judgement, Rejection


class AccountData(TypedDict):
    """A feature, its value, and its contribution to the priority."""

    feature: str
    value: float
    adds: float


class VisitData(TypedDict):
    """A fetch of the URL; `at` is in seconds since 1970, `to` is where it redirects."""

    at: float
    outcome: str
    status: int | None
    reason: str | None
    detail: str
    to: str | None
    seconds: float
    bytes: int
    mime: str
    ip: str


class DocumentData(TypedDict):
    """The stored page; `gone` is when it was found missing, `opt_outs` are the rights the site reserves."""

    title: str
    words: int
    preview: str
    links: int
    mime: str
    encoding: str
    language: str
    digest: str
    gone: float | None
    robots: list[str]
    opt_outs: list[str]
    about: dict[str, Any]
    archive: str | None


class RejectionData(TypedDict):
    """The rule by which the closest topic rejected the page, what it requires and what was found."""

    rule: str
    meaning: str
    topic: str
    needed: float
    found: int | None


class EvidenceData(TypedDict):
    """A word and its weight."""

    word: str
    weight: float


class JudgementData(TypedDict):
    """The classification: `topic` is null if every topic rejected the page, `path` leads to the topic from the top."""

    topic: str | None
    confidence: float
    probability: float
    path: list[str]
    evidence: list[EvidenceData]
    border: float | None
    rejection: RejectionData | None
    model: str


class DecisionData(TypedDict):
    """A person's decision about the page; `shown` is the topic it was shown under, `at` is in seconds since 1970."""

    kind: str
    topic: str | None
    shown: str | None
    at: float


class DuplicateData(TypedDict):
    """A page with the same or nearly the same text; `distance` counts differing simhash bits."""

    url: str
    kind: str
    distance: int
    similarity: float


class InlinkData(TypedDict):
    """A stored page that links to the URL."""

    url: str
    anchor: str


class HostData(TypedDict):
    """The host: pages fetched, failures in a row, seconds between requests, and why it is closed."""

    name: str
    pages: int
    failures: int
    delay: float
    closed: str | None


class ExplanationData(TypedDict):
    """Everything the portal knows about a URL; unknown parts are null or empty.

    `known` is true if a crawl has seen the URL. `inherited_from` is the crawl this one took the URL over from. `path`
    leads to the URL from a start page. `members` are the documents in an archive.
    """

    url: str
    known: bool
    crawl: int | None
    kind: str | None
    inherited_from: int | None
    strategy: str
    state: str | None
    reason: str | None
    meaning: str | None
    priority: list[float] | None
    account: list[AccountData]
    queue: str | None
    depth: int | None
    parent: str | None
    anchor: str | None
    redirects: int | None
    tries: int | None
    path: list[str]
    robots_allow: bool | None
    visits: list[VisitData]
    document: DocumentData | None
    members: list[str]
    judgement: JudgementData | None
    decision: DecisionData | None
    duplicate_of: list[DuplicateData]
    inlinks: list[InlinkData]
    host: HostData | None


def explanation_data(explanation: Explanation) -> ExplanationData:
    """Return an explanation as the JSON object `thresher explain --json` prints."""
    row, document = explanation.row, explanation.document
    return {
        "url": explanation.url,
        "known": row is not None,
        "crawl": explanation.crawl,
        "kind": explanation.kind or None,
        "inherited_from": explanation.inherited,
        "strategy": explanation.strategy,
        "state": row.state.value if row else None,
        "reason": row.reason.value if row and row.reason else None,
        "meaning": MEANING[row.reason] if row and row.reason else None,
        "priority": list(row.candidate.priority) if row else None,
        "account": [{"feature": feature, "value": value, "adds": adds} for feature, value, adds in explanation.account],
        "queue": row.candidate.queue if row else None,
        "depth": row.candidate.depth if row else None,
        "parent": row.candidate.parent if row else None,
        "anchor": row.candidate.anchor if row else None,
        "redirects": row.candidate.hops if row else None,
        "tries": row.tries if row else None,
        "path": [step.candidate.url for step in explanation.path],
        "robots_allow": explanation.robots_allow,
        "visits": [_visit(visit) for visit in explanation.visits],
        "document": _document(document) if document else None,
        "members": explanation.members,
        "judgement": _judgement(document.judgement) if document and document.judgement else None,
        "decision": _decision(explanation.decision) if explanation.decision else None,
        "duplicate_of": [
            {"url": row.original_url, "kind": row.kind.value, "distance": row.distance, "similarity": row.similarity}
            for row in explanation.duplicates
        ],
        "inlinks": [{"url": source, "anchor": anchor} for source, anchor in explanation.inlinks[:100]],
        "host": _host(explanation.host) if explanation.host else None,
    }


def _decision(row: DecisionRow) -> DecisionData:
    return {"kind": row.kind.value, "topic": row.topic, "shown": row.shown, "at": row.at}


def _document(document: DocumentRow) -> DocumentData:
    return {
        "title": document.title,
        "words": len(words(document.text)),
        "preview": document.preview,
        "links": len(document.links),
        "mime": document.mime,
        "encoding": document.encoding,
        "language": document.language,
        "digest": document.digest.hex(),
        "gone": document.gone,
        "robots": list(document.robots),
        "opt_outs": list(document.opt_outs),
        "about": document.about,
        "archive": document.archive,
    }


def _judgement(judged: Judgement) -> JudgementData:
    return {
        "topic": judged.topic,
        "confidence": judged.confidence,
        "probability": judged.probability,
        "path": list(judged.path),
        "evidence": [{"word": word, "weight": weight} for word, weight in judged.evidence],
        "border": judged.border,
        "rejection": _rejection(judged.rejection) if judged.rejection else None,
        "model": judged.model,
    }


def _rejection(rejection: Rejection) -> RejectionData:
    return {
        "rule": rejection.rule.value,
        "meaning": UNMET[rejection.rule],
        "topic": rejection.topic,
        "needed": rejection.needed,
        "found": rejection.found,
    }


def _host(host: HostRow) -> HostData:
    return {
        "name": host.host,
        "pages": host.fetched,
        "failures": host.failures,
        "delay": host.delay,
        "closed": host.closed.value if host.closed else None,
    }


def _visit(visit: VisitRow) -> VisitData:
    return {
        "at": visit.at,
        "outcome": visit.outcome,
        "status": visit.status,
        "reason": visit.reason.value if visit.reason else None,
        "detail": visit.detail,
        "to": visit.to,
        "seconds": visit.seconds,
        "bytes": visit.size,
        "mime": visit.mime,
        "ip": visit.ip,
    }

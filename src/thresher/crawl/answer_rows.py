"""Turns an answer into the rows that record it, and into the outcome for the shard."""

from msgspec.structs import replace

from thresher.reading.analysis import Analysis
from thresher.reasons import Reason
from thresher.shard.values import Errand, Outcome
from thresher.store.page_records import DocumentRow, LinkRow, VisitRow
from thresher.store.url_records import UrlState
from thresher.types import Answer, Failed, Fetched, Redirected, Unchanged
from thresher.web.optout import opt_outs
from thresher.web.urls import host_of, origin_of, url_id


def visit_row(errand: Errand, answer: Answer, analysis: Analysis | None, kept: Reason | None = None) -> VisitRow:
    """Return the record of one exchange; `kept` is the reason a good page was not stored, or None if it was stored."""
    visit = VisitRow(
        url_id=errand.id,
        url=errand.candidate.url,
        at=answer.at,
        outcome=type(answer).__name__.lower(),
        status=answer.status,
        seconds=answer.seconds,
        ip=answer.ip,
    )
    match answer:
        case Redirected():
            return replace(visit, to=answer.to)
        case Failed():
            return replace(visit, reason=answer.reason, detail=answer.detail)
        case Unchanged():
            copy = answer.copy
            return replace(
                visit,
                digest=copy.digest,
                etag=answer.header("etag") or copy.etag,
                last_modified=answer.header("last-modified") or copy.last_modified,
            )
        case Fetched():
            return replace(
                visit,
                reason=kept,
                mime=answer.mime,
                size=_size(errand, answer),
                digest=analysis.digest if analysis else b"",
                etag=answer.header("etag") or "",
                last_modified=answer.header("last-modified") or "",
            )


def outcome_of(errand: Errand, answer: Answer, state: UrlState) -> Outcome:
    """Return what a shard needs to know about an answer without a page; `state` is the final state of its URL."""
    failed = answer if isinstance(answer, Failed) else None
    return Outcome(
        errand=errand,
        state=state,
        reason=failed.reason if failed else None,
        status=answer.status,
        retry_after=failed.retry_after if failed else None,
        body=answer.body if errand.robots and isinstance(answer, Fetched) else None,
    )


def document_row(errand: Errand, fetched: Fetched, analysis: Analysis, usage: tuple[str, ...] = ()) -> DocumentRow:
    """Return the record of a page; `usage` are the opt-outs in its site's robots.txt."""
    url = errand.candidate.url
    return DocumentRow(
        url_id=errand.id,
        url=url,
        host=host_of(url),
        at=fetched.at,
        title=analysis.title,
        text=analysis.text,
        terms=analysis.terms,
        links=[
            LinkRow(url_id(link.url), link.url, link.anchor, " ".join(link.rel), link.tag) for link in analysis.links
        ],
        layout=analysis.layout,
        status=fetched.status,
        mime=fetched.mime,
        encoding=analysis.encoding,
        size=_size(errand, fetched),
        ip=fetched.ip,
        port=_port(url),
        last_modified=fetched.header("last-modified") or "",
        expires=fetched.header("expires") or "",
        depth=errand.candidate.depth,
        origin=errand.candidate.parent,
        language=analysis.language,
        digest=analysis.digest,
        simhash=analysis.simhash,
        robots=analysis.robots,
        opt_outs=opt_outs([], site=(*analysis.opt_outs, *usage)),
        about=analysis.about,
        archive=errand.inside.archive if errand.inside else None,
        judgement=analysis.judgement,
        preview=analysis.preview,
    )


def _size(errand: Errand, fetched: Fetched) -> int:
    return errand.inside.size if errand.inside else len(fetched.raw)


def _port(url: str) -> int:
    port = origin_of(url).rpartition(":")[2]
    return int(port) if port.isdigit() else (443 if url.startswith("https:") else 80)

"""What readers submit: feedback on a page, and proposals."""

from ipaddress import ip_address
from typing import Annotated

from fastapi import Form, Query
from starlette.responses import Response

from thresher.portal.doors import Doors, Refused
from thresher.portal.ids import page_id
from thresher.portal.view import RequestContext, Seen
from thresher.store.page_records import DocumentRow
from thresher.store.portal_records import FeedbackRow, ProposalRow, Verdict
from thresher.web.guard import AddressGuard, is_address
from thresher.web.urls import canonical, host_of

doors = Doors()

Short = Annotated[str, Form(max_length=2000)]
Note = Annotated[str, Form(max_length=5000)]


@doors.page("/propose")
def propose(
    view: Seen, topic: Annotated[str, Query(max_length=2000)] = "", url: Annotated[str, Query(max_length=2000)] = ""
) -> Response:
    """Show the form for proposing a page."""
    return _proposal(view, url, topic, "", None)


@doors.form("/propose", brake="proposals")
def proposed(view: Seen, url: Short = "", topic: Short = "", note: Note = "") -> Response:
    """Accept a proposal."""
    address = canonical(url.strip()) or (canonical("https://" + url.strip()) if "://" not in url else None)
    if address is None or "." not in host_of(address):
        return _proposal(view, url, topic, note, "propose.bad_url")
    if not _reachable(view, address):
        return _proposal(view, url, topic, note, "propose.inside")
    known = topic if view.node(topic) else None
    row = ProposalRow(url=address, at=view.library.clock(), topic=known, note=note.strip(), user=_user(view))
    number = view.library.store.inbox.propose(row)
    return view.page("thanks.html", what="propose.thanks", number=number, back="/propose", again="propose.again")


@doors.page("/feedback")
def feedback(view: Seen, page: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Show the form for feedback on a page."""
    return _opinion(view, _document(view, page), page, None)


@doors.form("/feedback", brake="feedback")
def told(
    view: Seen,
    page: Annotated[str, Form(max_length=40)] = "",
    verdict: Annotated[str, Form(max_length=20)] = "",
    better: Short = "",
    note: Note = "",
) -> Response:
    """Accept feedback on a page."""
    found = _document(view, page)
    if verdict not in list(Verdict):
        return _opinion(view, found, page, "feedback.choose")
    if verdict == Verdict.BETTER and view.node(better) is None:
        return _opinion(view, found, page, "feedback.choose_topic")
    row = FeedbackRow(
        page=found.url_id,
        url=found.url,
        verdict=Verdict(verdict),
        at=view.library.clock(),
        topic=found.judgement.topic if found.judgement else None,
        better=better if verdict == Verdict.BETTER else None,
        note=note.strip(),
        user=_user(view),
    )
    number = view.library.store.inbox.say(row)
    return view.page("thanks.html", what="feedback.thanks", number=number, back=f"/d/{page}", again="feedback.back")


def _proposal(view: RequestContext, url: str, topic: str, note: str, fault: str | None) -> Response:
    told = view.library.overview()
    return view.page("propose.html", 400 if fault else 200, told=told, url=url, topic=topic, note=note, fault=fault)


def _opinion(view: RequestContext, found: DocumentRow, name: str, fault: str | None) -> Response:
    told = view.library.overview()
    node = view.node(found.judgement.topic) if found.judgement else None
    return view.page("feedback.html", 400 if fault else 200, page=found, name=name, node=node, told=told, fault=fault)


def _document(view: RequestContext, name: str) -> DocumentRow:
    id_ = page_id(name)
    found = view.library.store.documents.document(id_) if id_ is not None else None
    if found is None or "noindex" in found.robots:
        raise Refused(404, "error.document", "error.document_then")
    return found


def _reachable(view: RequestContext, url: str) -> bool:
    """Return whether the crawler may visit an address; host names are resolved and checked only when it does."""
    network = view.library.settings.network
    guard = AddressGuard(network.allow, network.map)
    host = host_of(url)
    if guard.names(host):
        return True
    if is_address(host):
        return guard.permits(str(ip_address(host.strip("[]"))), 80, host)
    return host.rstrip(".").rpartition(".")[2] not in ("localhost", "local", "internal", "home", "lan", "corp")


def _user(view: RequestContext) -> int | None:
    return view.user.id if view.user else None

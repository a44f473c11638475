"""Managing peers: who is allowed, whose models are used, and whom to ask."""

from typing import Annotated, Any, Final

from fastapi import Form, Query
from starlette.responses import Response

from thresher.api.peers import Peers
from thresher.peers.cards import LONGEST_ADDRESS, LONGEST_NAME, is_address
from thresher.peers.keys import is_public_key, shown
from thresher.portal.changes import noted, peer_told
from thresher.portal.doors import Doors, Refused
from thresher.portal.routes.crawl import live_of, times_of
from thresher.portal.routes.work import bench_of, why_failed
from thresher.portal.view import RequestContext, Seen
from thresher.portal.work import InTheWay
from thresher.portal.work_faults import peer_part
from thresher.store.peer_records import PeerRow
from thresher.store.portal_records import Role
from thresher.store.work_records import WorkKind, WorkRow

doors = Doors()

ASK: Final = "ask"
USE: Final = "use"

_DIGITS: Final = 19
_LATELY: Final = 5

Address = Annotated[str, Form(max_length=LONGEST_ADDRESS)]
Name = Annotated[str, Form(max_length=LONGEST_NAME)]
Key = Annotated[str, Form(max_length=200)]
Limit = Annotated[str, Form(max_length=20)]


@doors.page("/manage/peers", needs=Role.ADMIN)
def manage_peers(view: Seen, done: Annotated[int, Query(ge=0, lt=1 << 62)] = 0) -> Response:
    """Show this portal's key, its peers, and the available actions."""
    return _page(view, done=done)


@doors.form("/manage/peers/ask", needs=Role.ADMIN)
def ask_peer(view: Seen, address: Address = "", name: Name = "", key: Key = "") -> Response:
    """Ask another portal to exchange models."""
    wanted = key.replace(" ", "").lower()
    if not is_address(address.strip()):
        raise Refused(400, "peers.bad_address", "peers.bad_address_then")
    if wanted and not is_public_key(wanted):
        raise Refused(400, "peers.bad_key", "peers.bad_key_then")
    given = [f"--name={name.strip()}"] if name.strip() else []
    given += [f"--key={wanted}"] if wanted else []
    return _start(view, (ASK, *given, "--", address.strip()))


@doors.form("/manage/peers/use", needs=Role.ADMIN)
def use_models(view: Seen, loss: Limit = "", error: Limit = "") -> Response:
    """Fetch the models of all allowed portals and use those that match a topic."""
    limits = [(name, _share(text)) for name, text in (("loss", loss), ("error", error)) if text.strip()]
    return _start(view, (USE, *(f"--{name}={share}" for name, share in limits)))


@doors.form("/manage/peers/allow", needs=Role.ADMIN)
def allow_peer(view: Seen, key: Key = "", name: Name = "") -> Response:
    """Allow a portal that has asked, or one that was blocked."""
    before = _row(view, key)
    _peers(view).allow(before.key, name=name.strip())
    return _noted(view, before)


@doors.form("/manage/peers/forget", needs=Role.ADMIN)
def forget_peer(view: Seen, key: Key = "", block: Annotated[bool, Form()] = False) -> Response:
    """Remove a portal with its models; a blocked portal cannot ask again."""
    before = _row(view, key)
    _peers(view).forget(before.key, block=block)
    return _noted(view, before)


@doors.page("/manage/peers/{number}", needs=Role.ADMIN)
def peers_result(view: Seen, number: str) -> Response:
    """Show the result of asking a portal or of using models."""
    if number in (ASK, USE, "allow", "forget"):
        # A refused form was reloaded.
        return view.go("/manage/peers")
    bench = bench_of(view)
    bench.running(view.library.clock())
    known = number.isascii() and number.isdigit() and len(number) < _DIGITS
    row = view.library.store.works.get(int(number)) if known else None
    if row is None or row.kind is not WorkKind.PEERS:
        raise Refused(404, "error.missing", "error.missing_then")
    found = bench.result(row.id) if row.ended is not None and row.code == 0 else None
    asked = _asked(found or {})
    return view.page(
        "manage_peered.html",
        here="peers",
        row=row,
        found=found,
        asked=asked,
        asking=row.arguments[:1] == (ASK,),
        spaced=shown(asked["key"]) if asked else "",
        why=why_failed(bench, row),
        peer_part=peer_part,
        times=times_of(view),
    )


def _asked(found: dict[str, Any]) -> dict[str, Any] | None:
    """Return the portal that was asked, or None."""
    return next((peer for peer in found.get("peers", ()) if peer["key"] == found.get("asked")), None)


def _start(view: RequestContext, arguments: tuple[str, ...]) -> Response:
    name = view.user.name if view.user else ""
    row = WorkRow(kind=WorkKind.PEERS, asked=view.library.clock(), user=name, arguments=arguments)
    found = bench_of(view).start(row)
    live_of(view).look_again()
    if isinstance(found, InTheWay):
        return _page(view, 409, in_the_way=found)
    return view.go(f"/manage/peers/{found.id}")


def _page(view: RequestContext, status: int = 200, *, done: int = 0, in_the_way: InTheWay | None = None) -> Response:
    store, peers = view.library.store, _peers(view)
    bench_of(view).running(view.library.clock())
    listed = peers.listed()
    known = {peer.key for peer in listed}
    return view.page(
        "manage_peers.html",
        status,
        here="peers",
        peers=peers,
        listed=listed,
        heard=[one for one in peers.neighbours() if one.key not in known],
        enabled=view.library.settings.peers.enabled,
        works=[row for row in store.works.newest(100) if row.kind is WorkKind.PEERS][:_LATELY],
        longest=LONGEST_NAME,
        in_the_way=in_the_way,
        last=store.deeds.get(done) if done else None,
        times=times_of(view),
    )


def _peers(view: RequestContext) -> Peers:
    return Peers(view.library.portal)


def _row(view: RequestContext, key: str) -> PeerRow:
    row = view.library.store.peers.get(key)
    if row is None:
        raise Refused(404, "peers.no_peer", "peers.no_peer_then")
    return row


def _noted(view: RequestContext, before: PeerRow) -> Response:
    """Record a change to a peer, and redirect to the list."""
    after = view.library.store.peers.get(before.key)
    number = noted(view, "peer", before.name, peer_told(before), peer_told(after))
    return view.go(f"/manage/peers?done={number}")


def _share(text: str) -> float:
    """Return a share from text with a point or a comma; raises Refused if it is not between 0 and 1."""
    try:
        share = float(text.strip().replace(",", "."))
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise Refused(400, "error.request", "error.request_then")
    return share

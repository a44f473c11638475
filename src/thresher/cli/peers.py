"""`thresher peers`: other portals, and the models exchanged with them."""

import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from thresher.cli.admin_shapes import NeighbourData, PeerData, PeerModelData, PeersData, PeersServed, PeersUsed
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, dim
from thresher.config.load import load
from thresher.errors import InputError, UsageError
from thresher.peers.cards import LEAST_DIGITS, is_address
from thresher.peers.gossip import Gossip
from thresher.peers.keys import is_public_key, shown
from thresher.peers.server import alone
from thresher.peers.using import TopicPlan
from thresher.portal.serving import listen
from thresher.portal.serving import serve as serve_app
from thresher.runs.peering import Peering, Used, forgotten
from thresher.store.peer_records import PeerModelRow, PeerRow, PeerState
from thresher.store.protocol import Store
from thresher.store.repository import open_store

ACTIONS = ("list", "serve", "ask", "allow", "use", "forget")
HOST = "127.0.0.1"
PORT = 8090


@app.command(epilog="Example: thresher peers my-portal ask https://portal.example/")
def peers(
    portal: Portal,
    action: Annotated[str, typer.Argument(metavar="[ACTION]", help=f"{', '.join(ACTIONS)}.")] = "list",
    peer: Annotated[
        str, typer.Argument(metavar="[PEER]", help="With ask: an address. With allow and forget: a name or key.")
    ] = "",
    name: Annotated[str, typer.Option("--name", help="With ask and allow: what to call the peer.")] = "",
    key: Annotated[str, typer.Option("--key", help="With ask: the public key that the peer must have.")] = "",
    block: Annotated[bool, typer.Option("--block", help="With forget: refuse the peer from now on.")] = False,
    loss: Annotated[
        float | None,
        typer.Option("--loss", min=0.0, max=1.0, metavar="SHARE", help="With use: maximum expected loss, as in 0.2."),
    ] = None,
    error: Annotated[
        float | None,
        typer.Option("--error", min=0.0, max=1.0, metavar="SHARE", help="With use: maximum expected error."),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="With serve: address to listen on.")] = HOST,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="With serve: port; 0 picks a free one.")] = PORT,
    json: Json = False,
) -> None:
    """Exchange topic models with other portals, so that each classifies better; pages never leave a portal.

    ask: ask another portal for permission. allow: grant it to a portal that has asked. use: fetch the models of all
    allowed peers, test them on this portal's pages, and use those that match a topic. forget: remove a peer and its
    models. serve: answer peers without running the web portal.
    """
    if action not in ACTIONS:
        raise UsageError(f"There is no action '{action}'.", f"Choose one of: {', '.join(ACTIONS)}.")
    if action in ("ask", "allow", "forget") and not peer:
        what = "address" if action == "ask" else "name or key"
        raise UsageError(f"No peer was given; '{action}' needs its {what}.", f"See: {hint('peers', portal, '--help')}")
    settings = load(portal).settings
    with closing(open_store(portal)) as store:
        peering = Peering(portal, store, settings)
        match action:
            case "serve":
                _serve(portal, peering, host, port, settings.peers.interval, store, json)
            case "ask":
                _ask(portal, peering, store, peer, name, key, json)
            case "use":
                _show_used(portal, store, peering.use(loss=loss, error=error), json)
            case "allow":
                _allow(store, _found(store, portal, peer), name)
                _list(portal, peering, store, json)
            case "forget":
                _forget(portal, peering, store, _found(store, portal, peer), block)
                _list(portal, peering, store, json)
            case _:
                _list(portal, peering, store, json)


def _found(store: Store, portal: Path, wanted: str) -> PeerRow:
    """Return the peer with the given name, key or key prefix.

    Peers choose their own names, so a name never takes precedence over a key.
    """
    digits = wanted.replace(" ", "").lower()
    whole = store.peers.get(digits)
    if whole is not None:
        return whole
    enough = len(digits) >= LEAST_DIGITS
    found = [row for row in store.peers.all() if row.name == wanted or (enough and row.key.startswith(digits))]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"'{wanted}' stands for {len(found)} peers.", "Give more digits of the key.")
    raise InputError(f"There is no peer '{wanted}'.", f"List them: {hint('peers', portal)}")


def _allow(store: Store, row: PeerRow, name: str) -> None:
    allowed = replace(row, state=PeerState.ALLOWED, since=time.time(), name=name or row.name)
    store.peers.put(allowed)


def _forget(portal: Path, peering: Peering, store: Store, row: PeerRow, block: bool) -> None:
    if block:
        store.peers.put(replace(row, state=PeerState.BLOCKED, since=time.time()))
    forgotten(portal, store, [row], peering.key.public, keep=block)


def _ask(portal: Path, peering: Peering, store: Store, address: str, name: str, key: str, json: bool) -> None:
    wanted = key.replace(" ", "").lower()
    if wanted and not is_public_key(wanted):
        raise UsageError(
            "A public key has 64 hexadecimal digits.",
            "Copy it from the list that `thresher peers` prints in the other portal.",
        )
    if not is_address(address):
        raise InputError(f"'{address}' is not the address of a portal.", "Write it like https://portal.example/")
    row, state = peering.ask(address, name=name, key=wanted)
    if json:
        _list(portal, peering, store, True)
        return
    out = console()
    out.print("Asked ", bold(row.name), f". Its key: {shown(row.key)}")
    if not wanted:
        out.print(dim("Compare the key with what its owner tells you."))
    if state is PeerState.ALLOWED:
        out.print(f"It allows this portal. Get its models: {hint('peers', portal, 'use')}")
    else:
        out.print("Models are exchanged as soon as its owner allows this portal, whose key is")
        out.print(shown(peering.key.public))


def _serve(portal: Path, peering: Peering, host: str, port: int, interval: float, store: Store, json: bool) -> None:
    listening = listen(host, port)
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listening.getsockname()[1]}/"
    desk = peering.desk(address)
    gossip = Gossip(peering.exchange, store.tries, time.time, interval)

    def ready() -> None:
        gossip.start()
        if json:
            served: PeersServed = {"portal": str(portal), "address": address, "key": peering.key.public}
            print_json(served)
            return
        console().print("Answering peers at ", bold(address), "; press Ctrl-C to stop.")

    try:
        serve_app(alone(desk), listening, ready)
    finally:
        gossip.stop()


def _list(portal: Path, peering: Peering, store: Store, json: bool) -> None:
    rows, models = store.peers.all(), store.peers.models()
    if json:
        print_json(_body(portal, peering, rows, models))
        return
    out = console()
    out.print("This portal is ", bold(peering.name), f", key {shown(peering.key.public)}")
    for row in rows:
        own = [model for model in models if model.peer == row.key]
        used = sum(model.used for model in own)
        told = f"{counted(len(own), 'model')}, {used} in use" if own else "no models"
        out.print(f"  {row.state.value:<8} ", bold(row.name), f"  {told}  ", dim(f"{row.key[:16]}  {row.address}"))
        for model in own:
            if model.own is not None and model.accuracy is not None:
                out.print(dim(f"           {model.topic} = {model.own}, accuracy {model.accuracy:.2f} on our pages"))
    out.print(counted(len(rows), "peer"))
    if any(row.state is PeerState.ASKED for row in rows):
        out.print(f"Allow one that asked: {hint('peers', portal, 'allow', 'KEY')}")


def _body(portal: Path, peering: Peering, rows: list[PeerRow], models: list[PeerModelRow]) -> PeersData:
    known = {row.key for row in rows}
    return {
        "portal": str(portal),
        "name": peering.name,
        "key": peering.key.public,
        "address": peering.address,
        "peers": [_peer(row, [model for model in models if model.peer == row.key]) for row in rows],
        "neighbours": [_neighbour(one.key, one.address, one.at, known) for one in peering.neighbours()],
    }


def _peer(row: PeerRow, models: list[PeerModelRow]) -> PeerData:
    return {
        "key": row.key,
        "name": row.name,
        "address": row.address,
        "state": row.state.value,
        "seen": row.seen or None,
        "models": [_model(model) for model in models],
    }


def _model(row: PeerModelRow) -> PeerModelData:
    accuracy = None if row.accuracy is None else round(row.accuracy, 4)
    return {"topic": row.topic, "own": row.own, "version": row.version, "accuracy": accuracy, "used": row.used}


def _neighbour(key: str, address: str, at: float, known: set[str]) -> NeighbourData:
    return {"key": key, "address": address, "at": at, "known": key in known}


def _show_used(portal: Path, store: Store, used: Used, json: bool) -> None:
    if json:
        body: PeersUsed = {
            "portal": str(portal),
            "topics": [
                {
                    "topic": one.topic,
                    "models": one.models,
                    "loss": None if one.plan is None else round(one.plan.loss, 4),
                    "error": None if one.plan is None else round(one.plan.error, 4),
                    "reached": one.reached,
                }
                for one in used.plans
            ],
            "notes": [{"peer": note.peer, "name": note.name, "sentence": note.sentence} for note in used.notes],
        }
        print_json(body)
        return
    out = console()
    for one in used.plans:
        out.print(bold(one.topic), f": {_plan_words(one)}")
    for note in used.notes:
        out.print(dim(f"{note.name}: {note.sentence}"))
    if not used.plans:
        peers = [row for row in store.peers.all() if row.state is PeerState.ALLOWED]
        out.print("No model of a peer matches a topic." if peers else "No peer is allowed yet.")
        return
    out.print(f"Crawls and filters use them from now on; to stop, {hint('peers', portal, 'forget', 'NAME')}")


def _plan_words(one: TopicPlan) -> str:
    told = f"{counted(one.models, 'model')} in use"
    if one.plan is None:
        return told
    missed = "" if one.reached else "; no combination reaches what you asked for"
    peers = counted(one.models, "peer")
    return f"{told}; unanimous with {peers}: loss {one.plan.loss:.2f}, error {one.plan.error:.2f}{missed}"

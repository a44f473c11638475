"""`thresher peers`: other portals, and the models exchanged with them."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.api.peer_data import AskedData, PeersServed
from thresher.api.peers import HOST, PORT, Peers, UsedModels
from thresher.api.portal import Portal as OpenPortal
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, action_argument
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, dim
from thresher.errors import UsageError
from thresher.peers.using import TopicPlan
from thresher.store.peer_records import PeerState

ACTIONS = ("list", "serve", "ask", "allow", "use", "forget")


@app.command(epilog="Example: thresher peers my-portal ask https://portal.example/")
def peers(
    portal: Portal,
    action: Annotated[str, action_argument(ACTIONS)] = "list",
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
    others = OpenPortal.open(portal).peers
    match action:
        case "serve":
            _serve(portal, others, host, port, json)
        case "ask":
            _ask(portal, others, peer, name, key, json)
        case "use":
            _show_used(portal, others, others.use(loss=loss, error=error), json)
        case "allow":
            others.allow(peer, name=name)
            _list(portal, others, json)
        case "forget":
            others.forget(peer, block=block)
            _list(portal, others, json)
        case _:
            _list(portal, others, json)


def _ask(portal: Path, others: Peers, address: str, name: str, key: str, json: bool) -> None:
    asked = others.ask(address, name=name, key=key)
    if json:
        body: AskedData = {**others.to_dict(), "asked": asked.peer.key, "allows": asked.allows}
        print_json(body)
        return
    out = console()
    out.print("Asked ", bold(asked.peer.name), f". Its key: {asked.peer.spaced_key}")
    if not key:
        out.print(dim("Compare the key with what its owner tells you."))
    if asked.allows:
        out.print(f"It allows this portal. Get its models: {hint('peers', portal, 'use')}")
    else:
        out.print("Models are exchanged as soon as its owner allows this portal, whose key is")
        out.print(others.spaced_key)


def _serve(portal: Path, others: Peers, host: str, port: int, json: bool) -> None:
    def ready(address: str) -> None:
        if json:
            served: PeersServed = {"portal": str(portal), "address": address, "key": others.key}
            print_json(served)
            return
        console().print("Answering peers at ", bold(address), "; press Ctrl-C to stop.")

    others.serve(host=host, port=port, ready=ready)


def _list(portal: Path, others: Peers, json: bool) -> None:
    if json:
        print_json(others.to_dict())
        return
    out, listed = console(), others.listed()
    out.print("This portal is ", bold(others.name), f", key {others.spaced_key}")
    for one in listed:
        told = f"{counted(len(one.models), 'model')}, {one.in_use} in use" if one.models else "no models"
        out.print(f"  {one.state.value:<8} ", bold(one.name), f"  {told}  ", dim(f"{one.key[:16]}  {one.address}"))
        for model in one.models:
            if model.own is not None and model.accuracy is not None:
                out.print(dim(f"           {model.topic} = {model.own}, accuracy {model.accuracy:.2f} on our pages"))
    out.print(counted(len(listed), "peer"))
    if any(one.state is PeerState.ASKED for one in listed):
        out.print(f"Allow one that asked: {hint('peers', portal, 'allow', 'KEY')}")


def _show_used(portal: Path, others: Peers, used: UsedModels, json: bool) -> None:
    if json:
        print_json(used.to_dict())
        return
    out = console()
    for one in used.plans:
        out.print(bold(one.topic), f": {_plan_words(one)}")
    for note in used.notes:
        out.print(dim(f"{note.name}: {note.sentence}"))
    if not used.plans:
        allowed = any(one.state is PeerState.ALLOWED for one in others)
        out.print("No model of a peer matches a topic." if allowed else "No peer is allowed yet.")
        return
    out.print(f"Crawls and filters use them from now on; to stop, {hint('peers', portal, 'forget', 'NAME')}")


def _plan_words(one: TopicPlan) -> str:
    told = f"{counted(one.models, 'model')} in use"
    if one.plan is None:
        return told
    missed = "" if one.reached else "; no combination reaches what you asked for"
    peers = counted(one.models, "peer")
    return f"{told}; unanimous with {peers}: loss {one.plan.loss:.2f}, error {one.plan.error:.2f}{missed}"

"""Answers the messages of peers without the web portal, until stopped."""

import socket
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from thresher.config.settings import Settings
from thresher.peers.gossip import Gossip
from thresher.peers.server import alone
from thresher.runs.peering import Peering
from thresher.runs.serving import listen, serve
from thresher.store.repository import open_store


def serve_peers(portal: Path, settings: Settings, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Answer peers on a host and port; call `ready` with the address once it answers. Returns after Ctrl-C."""
    listening = listen(host, port)
    address = address_of(host, listening)
    with closing(open_store(portal)) as store:
        peering = Peering(portal, store, settings)
        responder = peering.responder(address)
        gossip = Gossip(peering.exchange, store.tries, time.time, settings.peers.interval)

        def answering() -> None:
            gossip.start()
            ready(address)

        try:
            serve(alone(responder), listening, answering)
        finally:
            gossip.stop()


def address_of(host: str, listening: socket.socket) -> str:
    """Return the address at which a listening socket can be reached."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listening.getsockname()[1]}/"

"""One of several processes that serve a portal on the same socket.

Started as `python -m thresher.portal.worker`; the first line of its input is an `Order` as JSON. It writes a line once
it is serving, and exits when its input ends, so no worker outlives the process that started it.
"""

import os
import signal
import socket
import sys
import threading
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec import Struct

from thresher.config.load import load
from thresher.portal.app import make_app
from thresher.runs.serving import serve
from thresher.store.repository import open_store


class Order(Struct, frozen=True):
    """What a worker serves: a portal, under the names in `hosts`, on an open socket.

    `first_key` is the key for creating the first account, "" if there is an account.
    """

    portal: str
    hosts: tuple[str, ...]
    first_key: str
    descriptor: int


def main() -> None:
    """Serve the portal that the input names."""
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    portal = Path(order.portal)
    with closing(open_store(portal)) as store, socket.socket(fileno=order.descriptor) as listening:
        app = make_app(portal, store, load(portal).settings, hosts=order.hosts, first_key=order.first_key)
        serve(app, listening, _ready)


def _ready() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()

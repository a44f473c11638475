"""A portal that answers peers on loopback, in a thread of the test."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import uvicorn

from thresher.config.load import load
from thresher.peers.server import alone
from thresher.runs.peering import Peering
from thresher.store.repository import open_store


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a portal's peers in a thread, and give the address."""
    with closing(open_store(folder)) as store, socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(16)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        app = alone(Peering(folder, store, load(folder, [f"peers.address={address}"]).settings).responder())
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield address
        finally:
            server.should_exit = True
            thread.join()

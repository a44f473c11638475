"""An overlay of real portals: `thresher peers PORTAL serve` processes on loopback, some killed and replaced.

Every portal allows every other by its key, and knows the address of one of them.
"""

import json
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

from msgspec import Struct

from thresher.peers.cards import card_of, written_cards
from thresher.peers.keys import PeerKey, own_key
from thresher.peers.messages import ANSWER, sealed
from thresher.peers.overlay import Neighbour
from thresher.portals import create_portal
from thresher.store.peer_records import PeerRow, PeerState
from thresher.store.repository import open_store

_PATIENCE: Final = 120.0
_TOML: Final = '[network]\nallow = ["127.0.0.1"]\n\n[peers]\nenabled = true\ninterval = 1.0\n'
HOUR: Final = 3600.0


class ProcessFigures(Struct, frozen=True):
    """The results for an overlay of processes.

    `seconds` is the time until all were connected through their neighbour lists, `after_churn` the time until they were
    again after some had been killed and replaced; None if that took too long.
    """

    processes: int
    killed: int
    seconds: float | None
    after_churn: float | None


class _Portals:
    def __init__(self, folder: Path, number: int) -> None:
        self.folders = [folder / f"p{place}" for place in range(number)]
        for one in self.folders:
            create_portal(one)
            (one / "thresher.toml").write_text(_TOML)
        self.keys = [own_key(one).public for one in self.folders]
        self.running: dict[int, subprocess.Popen[bytes]] = {}
        self.addresses: dict[int, str] = {}

    def start(self, place: int, known: int | None) -> None:
        """Start a portal that knows the address of one other."""
        with closing(open_store(self.folders[place])) as store:
            for other, key in enumerate(self.keys):
                if other != place:
                    address = self.addresses.get(other, "") if other == known else ""
                    store.peers.put(
                        PeerRow(key=key, name=f"p{other}", address=address, state=PeerState.ALLOWED, since=0.0)
                    )
        self.running[place] = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "thresher", "peers", str(self.folders[place]), "serve", "--port", "0", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def wait(self, place: int) -> None:
        """Wait until a portal answers, and store its address."""
        out = self.running[place].stdout
        line = out.readline() if out is not None else b""
        self.addresses[place] = json.loads(line)["address"]

    def kill(self, place: int) -> None:
        process = self.running.pop(place)
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()

    def connected(self) -> bool:
        """Return whether the living portals reach each other through their neighbour lists."""
        living = {self.keys[place]: place for place in self.running}
        links: dict[str, set[str]] = {key: set() for key in living}
        for key, place in living.items():
            with closing(open_store(self.folders[place], read_only=True)) as store:
                for row in store.peers.neighbours():
                    if row.key in living:
                        links[key].add(row.key)
                        links[row.key].add(key)
        start = next(iter(links))
        seen, waiting = {start}, [start]
        while waiting:
            for following in links[waiting.pop()] - seen:
                seen.add(following)
                waiting.append(following)
        return len(seen) == len(links)

    def seconds_to_connect(self) -> float | None:
        started = time.monotonic()
        while time.monotonic() - started < _PATIENCE:
            if self.connected():
                return round(time.monotonic() - started, 1)
            time.sleep(0.5)
        return None


def run_processes(number: int = 16, churn: float = 0.3, seed: int = 0) -> ProcessFigures:
    """Run an overlay of `number` processes, kill a share of them and start as many new ones."""
    rng = Random(seed)
    replaced = round(churn * number)
    with tempfile.TemporaryDirectory(prefix="thresher-peers-") as folder:
        portals = _Portals(Path(folder), number + replaced)
        try:
            portals.start(0, None)
            portals.wait(0)
            for place in range(1, number):
                portals.start(place, 0)
            for place in range(1, number):
                portals.wait(place)
            seconds = portals.seconds_to_connect()
            for place in rng.sample(sorted(portals.running), replaced):
                portals.kill(place)
            living = rng.choice(sorted(portals.running))
            for place in range(number, number + replaced):
                portals.start(place, living)
            for place in range(number, number + replaced):
                portals.wait(place)
            after = portals.seconds_to_connect()
        finally:
            for place in list(portals.running):
                portals.kill(place)
    return ProcessFigures(number, replaced, seconds, after)


class Traffic(Struct, frozen=True):
    """Bytes that a peer sends and receives per hour to stay in the overlay, and per exchange of lists."""

    neighbours: int
    interval: float
    exchange: int
    hourly: int


def traffic(neighbours: int = 32, interval: float = 600.0) -> Traffic:
    """Return the bytes of exchanges with full lists; per interval, a peer starts one and answers about one."""
    keys = [PeerKey(place.to_bytes(32, "big")) for place in range(1, neighbours + 2)]
    cards: list[Neighbour] = [card_of(key, f"https://portal-{n}.example/", 1.8e9) for n, key in enumerate(keys)]
    body: dict[str, Any] = {"entries": written_cards(cards)}
    asked = sealed(keys[0], keys[1].public, "neighbours", body, at=1.8e9, nonce=bytes(16))
    answer = sealed(keys[1], keys[0].public, ANSWER, body, at=1.8e9, nonce=bytes(16), re="00" * 16)
    exchange = len(asked) + len(answer)
    return Traffic(neighbours, interval, exchange, round(2 * exchange * HOUR / interval))

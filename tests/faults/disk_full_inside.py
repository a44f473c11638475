"""Runs inside a mount namespace with a small disk: crawl until it is full, make room, and look at what is there."""

import json
import subprocess
import sys
import time
from pathlib import Path

from thresher.bench.crash import Served, make_portal
from thresher.store.repository import open_store


def status(portal: Path) -> dict[str, object]:
    shown = subprocess.run(
        [sys.executable, "-m", "thresher", "status", str(portal), "--json"], capture_output=True, check=True
    )
    found: dict[str, object] = json.loads(shown.stdout)
    return found


def main() -> None:
    """Crawl on the small disk named by the arguments."""
    disk, port, log, *start_pages = sys.argv[1:]
    portal, ballast = Path(disk) / "portal", Path(disk) / "ballast"
    make_portal(portal, Served(int(port), Path(log), start_pages))
    ballast.write_bytes(b"x" * 4_500_000)
    messages = Path("/tmp") / f"disk-full-{port}.txt"
    with messages.open("wb") as sink:
        crawl = subprocess.Popen(
            [sys.executable, "-m", "thresher", "crawl", str(portal), "--json", "--pages", "500"],
            stdout=subprocess.PIPE,
            stderr=sink,
        )
        deadline = time.monotonic() + 300
        while b"Paused" not in messages.read_bytes():
            assert crawl.poll() is None, messages.read_text()
            assert time.monotonic() < deadline, "the crawl never met a full disk"
            time.sleep(0.2)
        paused = status(portal)
        time.sleep(3)
        assert crawl.poll() is None
        assert status(portal)["pages"] == paused["pages"], "pages were counted on a full disk"
        print("paused with:", messages.read_text().strip())
        ballast.unlink()
        subprocess.run(["mount", "-o", "remount,size=200m", disk], check=True)
        out, _ = crawl.communicate(timeout=300)
    messages.unlink()
    summary = json.loads(out)
    assert crawl.returncode == 0
    assert summary["pages"] == 500, summary
    store = open_store(portal, read_only=True)
    assert store.check() == []
    assert len(list(store.documents.urls())) == 500
    store.close()
    print("went on by itself to", summary["pages"], "pages")


if __name__ == "__main__":
    main()

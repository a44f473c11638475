"""The process that retrains a portal during a crawl.

`python -m thresher.train.retraining_child PORTAL SETTINGS PAGES`: SETTINGS are the crawl's `key=value` strings as a
JSON list, PAGES is its number of pages. It prints one JSON object, a `RetrainingReport`, and nothing else. It ends when
its standard input closes, which the crawl keeps open.
"""

import os
import sys
import threading
import time
from pathlib import Path

import msgspec
from msgspec import to_builtins

from thresher.config.load import load
from thresher.errors import ThresherError
from thresher.store.repository import open_store
from thresher.train.retraining import RetrainingReport, retrain_portal


def retrained(portal: Path, overrides: list[str], at: float, pages: int) -> RetrainingReport:
    """Retrain a portal at a wall time, during a crawl with `pages` pages; expected failures are reported."""
    try:
        settings = load(portal, overrides).settings
        store = open_store(portal)
        try:
            return retrain_portal(portal, store, settings, at, pages)
        finally:
            store.close()
    except ThresherError as error:
        return RetrainingReport(detail=to_builtins(error.told()))


def end_with_crawl() -> None:
    """Wait until the input is closed, then end the process."""
    # A buffered reader would be locked when the interpreter shuts down.
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    os.nice(5)
    threading.Thread(target=end_with_crawl, daemon=True).start()
    portal, overrides, pages = Path(sys.argv[1]), msgspec.json.decode(sys.argv[2], type=list[str]), int(sys.argv[3])
    found = retrained(portal, overrides, time.time(), pages)
    sys.stdout.buffer.write(msgspec.json.encode(found))

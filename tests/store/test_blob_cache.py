"""The cache of blobs: what one process put another finds, and nothing is put twice."""

import threading
from pathlib import Path

import apsw

from tests.store.processes import line, python
from thresher.store.repository import open_cache

PUT = """
import sys
from pathlib import Path
from thresher.store.repository import open_cache
cache = open_cache(Path(sys.argv[1]))
for number in range(200):
    cache.put({b"%d" % number: sys.argv[2].encode(), b"%d-" % number: b""})
print("done", flush=True)
"""


def test_processes_fill_one_file_together(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "cache.db"
    ours = open_cache(path)
    ours.put({b"7": b"ours"})
    others = [python(PUT, path, name) for name in ("one", "two")]
    assert [line(other) for other in others] == ["done", "done"]
    assert ours.get(b"7") == b"ours"
    assert {ours.get(b"%d" % number) for number in range(200)} <= {b"ours", b"one", b"two"}
    assert ours.get(b"5-") == b""
    assert ours.get(b"200") is None
    assert open_cache(path).get(b"7") == b"ours"


def test_opening_waits_for_a_process_that_makes_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE; CREATE TABLE other (id INTEGER)")
    ending = threading.Timer(0.2, other.execute, ["COMMIT"])
    ending.start()
    cache = open_cache(path)
    ending.join()
    cache.put({b"a": b"one"})
    assert cache.get(b"a") == b"one"

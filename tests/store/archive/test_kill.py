"""SIGKILL in the middle of appending: what was committed stays, what was not goes."""

import random
import time
from pathlib import Path

from tests.store.archive.samples import read_all
from tests.store.processes import kill, line, python
from thresher.store.archive.archive_files import RecordPosition
from thresher.store.archive.stored import read_record
from thresher.store.archive.warc_archive import WarcArchive

APPEND = """
import sys
from pathlib import Path
from tests.store.archive.samples import page
from thresher.store.archive.warc_archive import WarcArchive

archive = WarcArchive(Path(sys.argv[1]), max_bytes=60_000)
number = int(sys.argv[2])
while True:
    pages = [page(number + step, b"%d " % (number + step) * 300) for step in range(8)]
    for place, one in zip(archive.append(pages), pages):
        print(place.file, place.offset, place.length, one.url, flush=True)
    number += 8
"""


def test_killed_again_and_again(tmp_path: Path) -> None:
    chance = random.Random(4)
    committed: list[tuple[RecordPosition, str]] = []
    for _ in range(4):
        process = python(APPEND, tmp_path, len(committed))
        for _ in range(chance.randrange(5, 12) * 8):
            name, offset, length, url = line(process).split()
            committed.append((RecordPosition(name, int(offset), int(length)), url))
        time.sleep(chance.random() * 0.02)
        kill(process)
        last = committed[-1][0]
        assert WarcArchive(tmp_path).cut(last) == last
        answers = [record.url for record in read_all(tmp_path) if record.kind == "response"]
        assert answers == [url for _, url in committed]
    for place, url in committed:
        assert read_record(tmp_path, place).url == url

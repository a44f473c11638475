"""An archive that has lost something is told from one that has not; nothing is imported twice."""

import multiprocessing
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.store.archive.samples import page, response, warcs, write
from thresher.errors import PortalBusy
from thresher.store.archive import checking
from thresher.store.archive.archive_files import RecordPosition, index_path
from thresher.store.archive.cdxj import rows
from thresher.store.archive.checking import Damage, damaged_files
from thresher.store.archive.exporting import export
from thresher.store.archive.importing import import_archive
from thresher.store.archive.problems import Problem
from thresher.store.archive.warc_archive import WarcArchive
from thresher.store.locks import import_lock

NAME = "crawl-000001.warc.gz"
PAGES = 60


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    rng = random.Random(5)
    filled = WarcArchive(tmp_path / "archive")
    filled.append([page(number, rng.randbytes(400)) for number in range(PAGES)])
    filled.close()
    return tmp_path / "archive"


def cut(size: int) -> Callable[[Path], None]:
    def spoil(warc: Path) -> None:
        warc.write_bytes(warc.read_bytes()[:size])

    return spoil


def flip(warc: Path) -> None:
    data, rng = bytearray(warc.read_bytes()), random.Random(3)
    for _ in range(50):
        data[rng.randrange(len(data))] ^= 0xFF
    warc.write_bytes(bytes(data))


def blank(warc: Path) -> None:
    place = list(rows(index_path(warc)))[7]
    data = bytearray(warc.read_bytes())
    data[place.offset : place.offset + place.length] = bytes(place.length)
    warc.write_bytes(bytes(data))


SPOILING: dict[str, Callable[[Path], None]] = {
    **{f"cut to {size} bytes": cut(size) for size in (0, 1, 100, 20_000)},
    "deleted": Path.unlink,
    "50 bytes flipped": flip,
    "a record blanked": blank,
}


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("small", [True, False])
@pytest.mark.parametrize("spoil", SPOILING.values(), ids=SPOILING.keys())
def test_damage_is_found(
    archive: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], None], small: bool, deep: bool
) -> None:
    monkeypatch.setattr(checking, "SMALL", 32_000_000 if small else 0)
    assert list(damaged_files(archive, {NAME: PAGES}, deep=deep)) == []
    spoil(archive / NAME)
    (found,) = damaged_files(archive, {NAME: PAGES}, deep=deep)
    assert found.file == NAME
    if spoil is SPOILING["deleted"]:
        assert found == Damage(NAME, Problem.MISSING, PAGES)


def test_every_record_counts_where_all_are_read(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "SMALL", 0)
    monkeypatch.setattr(checking, "SAMPLE", 1)
    warc = archive / NAME
    place = list(rows(index_path(warc)))[PAGES // 2]
    data = bytearray(warc.read_bytes())
    data[place.offset + place.length // 2] ^= 1
    warc.write_bytes(bytes(data))
    assert list(damaged_files(archive, {NAME: PAGES})) == []
    (found,) = damaged_files(archive, {NAME: PAGES}, deep=True)
    assert (found.file, found.lost) == (NAME, 1)


def test_a_lost_index_is_no_damage(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "SMALL", 0)
    index_path(archive / NAME).unlink()
    assert list(damaged_files(archive, {NAME: PAGES})) == []


def test_what_a_crawl_writes_meanwhile_is_passed_over(archive: Path) -> None:
    warc = archive / NAME
    last = list(rows(index_path(warc)))[-3]
    warc.write_bytes(warc.read_bytes()[:-10])
    (archive / "crawl-000002.warc.gz").write_bytes(b"begun")
    for deep in (False, True):
        assert list(damaged_files(archive, {NAME: PAGES - 2}, RecordPosition(NAME, last.offset), deep=deep)) == []


def test_an_archive_that_is_gone_has_lost_all(tmp_path: Path) -> None:
    assert list(damaged_files(tmp_path / "none", {NAME: 3})) == [Damage(NAME, Problem.MISSING, 3)]
    assert list(damaged_files(tmp_path / "none", {})) == []


@pytest.mark.parametrize("spoil", SPOILING.values(), ids=SPOILING.keys())
def test_an_export_says_what_is_missing(archive: Path, tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    assert export(archive, tmp_path / "a.warc.gz", named={NAME: PAGES}).missing == {}
    spoil(archive / NAME)
    done = export(archive, tmp_path / "b.warc.gz", named={NAME: PAGES})
    assert done.missing == {NAME: PAGES - done.answers}
    assert done.answers < PAGES


def sample(path: Path, number: int = 40) -> Path:
    return write(path, *(response(f"http://a.test/{n}", b"x" * n) for n in range(number)))


def imported(directory: Path) -> int:
    return sum(len(list(rows(index_path(warc)))) for warc in warcs(directory))


def test_an_import_that_is_repeated_brings_nothing_twice(tmp_path: Path) -> None:
    path, into = sample(tmp_path / "a.warc.gz"), tmp_path / "archive"
    first = import_archive(path, into)
    again = import_archive(path, into)
    assert (first.answers, first.known) == (40, 0)
    assert (again.answers, again.known, again.passed_over) == (0, 40, 0)
    more = import_archive(sample(tmp_path / "b.warc.gz", 45), into)
    assert (more.answers, more.known) == (5, 40)
    assert imported(into) == 45


def test_what_a_file_holds_twice_is_kept_twice(tmp_path: Path) -> None:
    twice = [response("http://a.test/", b"x")] * 2
    into = tmp_path / "archive"
    assert import_archive(write(tmp_path / "a.warc.gz", *twice), into).answers == 2
    assert import_archive(write(tmp_path / "a.warc.gz", *twice), into).answers == 0
    assert imported(into) == 2


def _import_and_die(path: Path, into: Path, after: int) -> None:
    import os

    taken = 0
    usual = WarcArchive.append_exchanges

    def counting(self: WarcArchive, exchanges: list[object]) -> object:
        nonlocal taken
        taken += 1
        if taken > after:
            os._exit(9)
        return usual(self, exchanges)  # type: ignore[arg-type]

    WarcArchive.append_exchanges = counting  # type: ignore[method-assign,assignment]
    import_archive(path, into)


@pytest.mark.slow
@pytest.mark.parametrize("after", [0, 1, 17, 39])
def test_an_import_that_was_killed_can_be_repeated(tmp_path: Path, after: int) -> None:
    path, into = sample(tmp_path / "a.warc.gz"), tmp_path / "archive"
    process = multiprocessing.get_context("spawn").Process(target=_import_and_die, args=(path, into, after))
    process.start()
    process.join()
    assert process.exitcode == 9
    assert imported(into) == after
    done = import_archive(path, into)
    assert (done.answers, done.known) == (40 - after, after)
    assert imported(into) == 40


def test_two_imports_at_once_are_refused(tmp_path: Path) -> None:
    with import_lock(tmp_path / "archive"), pytest.raises(PortalBusy):
        import_archive(sample(tmp_path / "a.warc.gz"), tmp_path / "archive")

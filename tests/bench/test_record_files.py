"""What is written is read again, and what is no record is said to be none."""

import gzip
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from tests.bench.made import record
from thresher.bench import record_files
from thresher.bench.conditions import conditions
from thresher.bench.protocol import Draw
from thresher.bench.record_files import file_name, read_directories, read_records, write_record
from thresher.bench.records import Mode, Record
from thresher.errors import InputError


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    made = [record("page", "rT.", topic=topic, seed=seed) for topic in ("Chess", "Music") for seed in (0, 1)]
    for one in reversed(made):
        write_record(tmp_path / "new" / "folder", one)
    assert read_records(tmp_path / "new" / "folder") == made


def test_a_run_replaces_its_own_record_only(tmp_path: Path) -> None:
    for one in (record("a/b", "r"), record("a_b", "r"), record("a/b", "rr"), record("a/b", "r", seed=1)):
        write_record(tmp_path, one)
    found = read_records(tmp_path)
    runs = [(one.run.strategy, one.run.seed, one.run.pages) for one in found]
    assert runs == [("a/b", 0, 2), ("a/b", 1, 1), ("a_b", 0, 1)]


def test_names_from_anywhere_stay_in_the_directory(tmp_path: Path) -> None:
    path = write_record(tmp_path / "d", record("../../etc/passwd", "r", topic="/" * 900, web="\x00\n"))
    assert path.parent == tmp_path / "d"
    assert read_records(tmp_path / "d")[0].run.strategy == "../../etc/passwd"


def test_the_same_record_is_the_same_file(tmp_path: Path) -> None:
    one = write_record(tmp_path / "a", record("page", "rT."))
    other = write_record(tmp_path / "b", record("page", "rT."))
    assert one.name == other.name
    assert one.read_bytes() == other.read_bytes()


UNUSUAL: list[dict[str, Any]] = [
    {"examples": 20},
    {"negatives": 7},
    {"start": 2},
    {"wrong": 3},
    {"changed": ["reading.links=9"]},
    {"changed": ["reading.links=8"]},
    {"examples": 20, "wrong": 3},
]


def test_runs_that_were_drawn_otherwise_have_records_of_their_own(tmp_path: Path) -> None:
    made = [record("page", "rT.", **more) for more in ({}, *UNUSUAL)]
    names = [write_record(tmp_path, one).name for one in made]
    assert len(set(names)) == len(names)
    assert names[0] == file_name(made[0].run)
    assert "examples_20_wrong_3" in names[-1]
    found = read_records(tmp_path)
    assert len(found) == len(made)
    assert all(one in found for one in made)
    assert read_directories([tmp_path, tmp_path]) == found


def test_the_usual_draw_depends_on_the_web_and_the_mode() -> None:
    usual = [
        ("wikispeedia", "normal", Draw(10, 30, 5)),
        ("webkb-texas", "normal", Draw(20, 60, 5)),
        # A web with start pages of its own draws none; in normal mode the others have no more than examples.
        ("webkb-texas", "normal", Draw(20, 60, 1)),
        ("warc:a.warc", "hard", Draw(10, 30, 5)),
    ]
    assert [conditions(web, cast("Mode", mode), draw) for web, mode, draw in usual] == [""] * len(usual)
    assert conditions("wikispeedia", "normal", Draw(2, 6, 5)) == "--examples 2"
    assert conditions("wikispeedia", "hard", Draw(2, 6, 2)) == "--examples 2 --start 2"
    assert conditions("webkb-texas", "hard", Draw(10, 30, 1)) == "--examples 10 --start 1"


def test_records_whose_names_do_not_tell_their_conditions_are_not_lost(tmp_path: Path) -> None:
    usual, unusual = record("page", "rT."), record("page", ".T.", wrong=2)
    earlier = tmp_path / file_name(unusual.run)
    earlier.write_bytes(gzip.compress(msgspec.json.encode(unusual)))
    assert read_records(tmp_path) == [unusual]
    write_record(tmp_path, usual)
    assert read_records(tmp_path) == [usual, unusual]
    # The same run, made again, replaces the record under its earlier name.
    again, other = record("page", "TT.", wrong=2), tmp_path / "other"
    other.mkdir()
    (other / earlier.name).write_bytes(gzip.compress(msgspec.json.encode(unusual)))
    write_record(other, again)
    assert read_records(other) == [again]


def damaged(record: Record) -> bytes:
    """Return a record in whose packed bytes some are wrong."""
    packed = bytearray(gzip.compress(msgspec.json.encode(record)))
    packed[40:60] = b"\xff" * 20
    return bytes(packed)


MADE = record("page", "rT.")
NO_RECORDS = {
    "empty": b"",
    "text": b"no gzip",
    "cut": gzip.compress(msgspec.json.encode(MADE))[:-20],
    "damaged": damaged(MADE),
    "object": gzip.compress(b"{}"),
    "brackets": gzip.compress(b"[" * 99),
    "deep": gzip.compress(b'{"settings":' + b"[" * 99_999),
    "letters": gzip.compress(msgspec.json.encode(MADE).replace(b"Music", b"\xff\xfe")),
    "targets": gzip.compress(msgspec.json.encode(MADE).replace(b'"targets":5', b'"targets":0')),
    "budget": gzip.compress(msgspec.json.encode(MADE).replace(b'"budget":10', b'"budget":99999999999')),
}


@pytest.mark.parametrize("body", NO_RECORDS.values(), ids=NO_RECORDS)
def test_what_is_no_record_is_named(tmp_path: Path, body: bytes) -> None:
    (tmp_path / "odd.run.json.gz").write_bytes(body)
    with pytest.raises(InputError, match=r"odd\.run\.json\.gz"):
        read_records(tmp_path)


def test_a_record_that_unpacks_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_files, "LARGEST", 1000)
    (tmp_path / "bomb.run.json.gz").write_bytes(gzip.compress(b" " * 5000))
    with pytest.raises(InputError, match="too large for a record"):
        read_records(tmp_path)


def test_a_directory_without_records_says_how_to_make_some(tmp_path: Path) -> None:
    for directory in (tmp_path, tmp_path / "absent"):
        with pytest.raises(InputError) as caught:
            read_records(directory)
        assert "bench run" in caught.value.remedy

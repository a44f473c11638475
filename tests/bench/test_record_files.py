"""What is written is read again, and what is no record is said to be none."""

import gzip
from pathlib import Path

import pytest

from tests.bench.made import record
from thresher.bench import record_files
from thresher.bench.record_files import read_records, write_record
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


@pytest.mark.parametrize("body", [b"", b"no gzip", gzip.compress(b"{}"), gzip.compress(b"[" * 99)], ids=range(4))
def test_what_is_no_record_is_named(tmp_path: Path, body: bytes) -> None:
    (tmp_path / "odd.run.json.gz").write_bytes(body)
    with pytest.raises(InputError, match=r"odd\.run\.json\.gz"):
        read_records(tmp_path)


def test_a_record_that_unpacks_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_files, "LARGEST", 1000)
    (tmp_path / "bomb.run.json.gz").write_bytes(gzip.compress(b" " * 5000))
    with pytest.raises(InputError, match="larger than any record"):
        read_records(tmp_path)


def test_a_directory_without_records_says_how_to_make_some(tmp_path: Path) -> None:
    for directory in (tmp_path, tmp_path / "absent"):
        with pytest.raises(InputError) as caught:
            read_records(directory)
        assert "bench run" in caught.value.remedy

"""After a crash: the archive is cut to the last committed record and is sound again, wherever the kill hit."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.archive.samples import hop, page, read_all, warcs, zipped
from thresher.errors import PortalError
from thresher.store.archive.archive_files import RecordPosition, index_path
from thresher.store.archive.cdxj import rows
from thresher.store.archive.stored import read_record
from thresher.store.archive.warc_archive import WarcArchive

COMMITTED = [page(1), hop(2), zipped(3), page(4, page(1).raw)]
LOST = [page(5), zipped(6), page(7, b""), page(8, page(5).raw)]


def written(directory: Path, *, max_bytes: int = 1_000_000) -> tuple[list[RecordPosition], int]:
    """Write committed and lost answers; return the places of the first and where they end in the newest file."""
    archive = WarcArchive(directory, max_bytes=max_bytes)
    places = archive.append(COMMITTED)
    end = (directory / places[-1].file).stat().st_size
    archive.append(LOST)
    archive.close()
    return places, end


def check(directory: Path, places: list[RecordPosition]) -> None:
    """Fail unless the archive holds exactly the answers at the places, in WARCs and in indexes, and can go on."""
    answers = [record for record in read_all(directory) if record.kind in ("response", "revisit")]
    assert [record.url for record in answers] == [answer.url for answer in COMMITTED[: len(places)]]
    listed = [row for path in warcs(directory) for row in rows(index_path(path))]
    assert [row.place for row in listed] == places
    for answer, place in zip(COMMITTED, places, strict=False):
        assert read_record(directory, place).received() == answer.raw
    archive = WarcArchive(directory)
    [place] = archive.append([page(99)])
    assert read_record(directory, place).received() == page(99).raw
    assert len([record for record in read_all(directory) if record.kind != "warcinfo"]) == 2 * len(places) + 2


def points(directory: Path, end: int) -> list[int]:
    """Return sizes at which a kill may have left a file: around each record's edges and inside of each record."""
    size = warcs(directory)[-1].stat().st_size
    edges = sorted({record.offset for record in read_all(directory) if record.offset >= end} | {end, size})
    around = {edge + shift for edge in edges for shift in (-9, -1, 0, 1, 2, 10, 15, 40, 120)}
    halves = {(one + two) // 2 for one, two in pairwise(edges)}
    return sorted(point for point in around | halves if end <= point <= size)


@pytest.mark.slow
def test_a_kill_at_any_point_of_writing(tmp_path: Path) -> None:
    places, end = written(tmp_path / "whole")
    [warc] = warcs(tmp_path / "whole")
    data, index = warc.read_bytes(), index_path(warc).read_bytes()
    kept = b"".join(index.splitlines(keepends=True)[: len(places)])
    for number, point in enumerate(points(tmp_path / "whole", end)):
        for lines in (kept, index, index[: len(kept) + 37]):
            folder = tmp_path / f"{number}-{len(lines)}"
            folder.mkdir()
            (folder / warc.name).write_bytes(data[:point])
            index_path(folder / warc.name).write_bytes(lines)
            assert WarcArchive(folder).cut(places[-1]) == places[-1]
            check(folder, places)


def test_a_place_without_a_length_will_do(tmp_path: Path) -> None:
    places, _ = written(tmp_path)
    assert WarcArchive(tmp_path).cut(RecordPosition(places[-1].file, places[-1].offset)) == places[-1]
    check(tmp_path, places)


@pytest.mark.parametrize("kept", [1, 2, 3])
def test_cutting_to_any_committed_record(tmp_path: Path, kept: int) -> None:
    places, _ = written(tmp_path)
    assert WarcArchive(tmp_path).cut(places[kept - 1]) == places[kept - 1]
    check(tmp_path, places[:kept])


def test_later_files_go(tmp_path: Path) -> None:
    places, _ = written(tmp_path, max_bytes=1500)
    assert len(warcs(tmp_path)) > 4
    assert WarcArchive(tmp_path).cut(places[-1]) == places[-1]
    assert [path.name for path in warcs(tmp_path)] == sorted({place.file for place in places})
    check(tmp_path, places)


def test_with_nothing_committed_nothing_is_left(tmp_path: Path) -> None:
    written(tmp_path, max_bytes=1500)
    assert WarcArchive(tmp_path).cut(None) is None
    assert list(tmp_path.iterdir()) == []
    assert WarcArchive(tmp_path / "none").cut(None) is None


def test_digests_of_what_was_cut_are_forgotten(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path)
    [first] = archive.append([page(1)])
    archive.append([page(2, b"same")])
    archive.cut(first)
    archive.append([page(3, b"same")])
    assert read_all(tmp_path)[-1].kind == "response"


@pytest.mark.parametrize("damage", ["missing", "empty", "torn", "junk", "short"])
def test_a_lost_index_is_written_anew(tmp_path: Path, damage: str) -> None:
    places, _ = written(tmp_path)
    index = index_path(warcs(tmp_path)[0])
    data = index.read_bytes()
    index.unlink()
    if damage != "missing":
        lines = data.splitlines(keepends=True)
        index.write_bytes({"empty": b"", "torn": data[:300], "junk": b"\0\xff\n" + data, "short": lines[0]}[damage])
    assert WarcArchive(tmp_path).cut(places[-1]) == places[-1]
    check(tmp_path, places)


def test_what_the_disk_lost_is_told(tmp_path: Path) -> None:
    places, _ = written(tmp_path)
    [warc] = warcs(tmp_path)
    with warc.open("rb+") as file:
        file.truncate(places[2].offset + 10)
    assert WarcArchive(tmp_path).cut(places[-1]) == places[1]
    check(tmp_path, places[:2])


def test_a_file_that_is_missing_is_no_obstacle(tmp_path: Path) -> None:
    places, _ = written(tmp_path, max_bytes=1500)
    lost = places[-1].file
    left = [place for place in places if place.file != lost]
    (tmp_path / lost).unlink()
    assert WarcArchive(tmp_path).cut(places[-1]) == left[-1]
    check(tmp_path, left)


def test_a_file_without_a_whole_answer_goes(tmp_path: Path) -> None:
    places, _ = written(tmp_path, max_bytes=1500)
    left = [place for place in places if place.file != places[-1].file]
    (tmp_path / places[-1].file).write_bytes(b"\x1f\x8b\x08")
    assert WarcArchive(tmp_path).cut(places[-1]) == left[-1]
    check(tmp_path, left)


def test_places_of_other_archives_are_refused(tmp_path: Path) -> None:
    written(tmp_path)
    with pytest.raises(PortalError):
        WarcArchive(tmp_path).cut(RecordPosition("../other-000001.warc.gz", 0))
    assert len(read_all(tmp_path)) == 1 + 2 * (len(COMMITTED) + len(LOST))


@pytest.mark.parametrize("lost", [1, 9, 40])
def test_a_file_of_the_right_length_whose_end_was_never_written_is_mended(tmp_path: Path, lost: int) -> None:
    written(tmp_path)
    [warc] = warcs(tmp_path)
    *_, before, _ = [row.place for row in rows(index_path(warc))]
    whole = warc.read_bytes()
    warc.write_bytes(whole[:-lost] + b"\xff" * lost)
    assert WarcArchive(tmp_path).last == before
    WarcArchive(tmp_path).append([page(99)])
    assert read_all(tmp_path)[-1].url == page(99).url


@pytest.mark.parametrize("torn", [b"test", b'test,a)/2 20231114221320 {"url":"http://a.test/2"', b"\xff"])
def test_half_a_row_behind_the_last_whole_one_swallows_no_other(tmp_path: Path, torn: bytes) -> None:
    places, _ = written(tmp_path)
    [warc] = warcs(tmp_path)
    with index_path(warc).open("ab") as index:
        index.write(torn)
    [place] = WarcArchive(tmp_path).append([page(99)])
    listed = [row.place for row in rows(index_path(warc))]
    assert listed[: len(places)] == places
    assert listed[-1] == place


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1), rows_share=st.floats(0, 1), tail=st.binary(max_size=40))
def test_an_archive_is_never_torn_for_good(
    tmp_path_factory: pytest.TempPathFactory, share: float, rows_share: float, tail: bytes
) -> None:
    """Whatever a crash left, the next append gives an archive that can be read to its end."""
    folder = tmp_path_factory.mktemp("torn")
    written(folder)
    [warc] = warcs(folder)
    for path, part in ((warc, share), (index_path(warc), rows_share)):
        data = path.read_bytes()
        path.write_bytes(data[: int(len(data) * part)] + tail)
    archive = WarcArchive(folder)
    [place] = archive.append([page(99)])
    seen = read_all(folder)
    assert seen[-1].url == page(99).url
    listed = [row.place for path in warcs(folder) for row in rows(index_path(path))]
    assert [(place.offset, place.length) for place in listed] == [
        (record.offset, record.length) for record in seen if record.kind in ("response", "revisit")
    ]
    assert listed[-1] == place

"""Collections are unpacked once, whole or not at all, and never outside of their folder."""

import io
import tarfile
from pathlib import Path
from random import Random

import pytest

from thresher.bench.data import cache_folder, collection
from thresher.errors import InputError


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def pack(data: Path, name: str, files: dict[str, bytes]) -> Path:
    archive = data / name / f"{name}.tar.xz"
    archive.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive, "w:xz") as tar:
        for path, body in files.items():
            member = tarfile.TarInfo(path)
            member.size = len(body)
            tar.addfile(member, io.BytesIO(body))
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc"
        tar.addfile(link)
    return archive


def test_unpacks_files_once(tmp_path: Path) -> None:
    archive = pack(tmp_path, "boats", {"a/http:^^x.test^": b"one", "b": b"two"})
    folder = collection("boats", tmp_path)
    assert (folder / "a" / "http:^^x.test^").read_bytes() == b"one"
    assert sorted(path.name for path in folder.rglob("*")) == ["a", "b", "http:^^x.test^"]
    (folder / "b").write_bytes(b"kept")
    assert collection("boats", tmp_path) == folder
    assert (folder / "b").read_bytes() == b"kept"
    archive.unlink()
    pack(tmp_path, "boats", {"b": b"changed"})
    assert (collection("boats", tmp_path) / "b").read_bytes() == b"changed"


def test_nothing_is_written_outside(tmp_path: Path) -> None:
    pack(tmp_path, "boats", {"../out": b"x", str(tmp_path / "absolute"): b"x", "in": b"x"})
    folder = collection("boats", tmp_path)
    assert [path.name for path in folder.iterdir()] == ["in"]
    assert not (tmp_path / "absolute").exists()
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_a_damaged_archive_leaves_nothing(tmp_path: Path, damage: str) -> None:
    noise = Random(1)
    archive = pack(tmp_path, "boats", {f"file-{number}": noise.randbytes(5000) for number in range(50)})
    body = archive.read_bytes()
    half = len(body) // 2
    archive.write_bytes(body[:half] + (b"" if damage == "cut" else bytes(100) + body[half + 100 :]))
    with pytest.raises(InputError, match="cannot be unpacked"):
        collection("boats", tmp_path)
    assert list((cache_folder() / "data").iterdir()) == []


def test_a_missing_collection_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no collection 'ships'"):
        collection("ships", tmp_path)

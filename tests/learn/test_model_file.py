"""Model files are data: whole, small, and refused where they are not."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from thresher.errors import InputError
from thresher.learn.model_file import load, pack, save, unpack, version_of

ARRAYS = {"weights": np.arange(6.0).reshape(2, 3), "counts": np.array([1, 2])}


def test_round_trip_and_version(tmp_path: Path) -> None:
    packed = pack({"kind": "x", "terms": ["ä", "b"]}, ARRAYS)
    save(tmp_path / "models" / "m.npz", packed)
    header, arrays = unpack(load(tmp_path / "models" / "m.npz"))
    assert header == {"kind": "x", "terms": ["ä", "b"]}
    assert {name: array.tolist() for name, array in arrays.items()} == {n: a.tolist() for n, a in ARRAYS.items()}
    assert version_of(packed) == version_of(pack({"terms": ["ä", "b"], "kind": "x"}, dict(reversed(ARRAYS.items()))))
    assert version_of(packed) != version_of(pack({"kind": "y"}, ARRAYS))
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["m.npz"]


def test_every_cut_is_found_and_no_flipped_byte_is_a_surprise() -> None:
    packed = pack({"kind": "x"}, ARRAYS)
    for end in range(0, len(packed), 7):
        with pytest.raises(InputError):
            unpack(packed[:end])
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(packed), 200).tolist():
        broken = bytearray(packed)
        broken[place] ^= 0xFF
        try:
            unpack(bytes(broken))
        except InputError:
            continue


def zipped(**entries: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name.replace("_", "."), content)
    return out.getvalue()


def npy(array: np.ndarray, allow_pickle: bool = False) -> bytes:
    out = io.BytesIO()
    np.save(out, array, allow_pickle=allow_pickle)
    return out.getvalue()


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"not a zip",
        zipped(a_npy=npy(np.ones(2))),
        zipped(header_json=b"[]"),
        zipped(header_json=b"{"),
        zipped(header_json=b"{}", a_npy=npy(np.array([{}], dtype=object), allow_pickle=True)),
        zipped(header_json=b"{}", a_npy=npy(np.ones(2))[:-3]),
        zipped(header_json=b"{}", a_npy=npy(np.ones(2)).replace(b"(2,)", b"(9,)")),
        zipped(header_json=b"{}", a_npy=npy(np.ones(2)).replace(b"(2,), }" + b" " * 7, b"(99999999,), }")),
    ],
    ids=["empty", "no zip", "no header", "list", "cut header", "objects", "cut array", "longer", "huge"],
)
def test_what_is_no_model_is_refused(packed: bytes) -> None:
    with pytest.raises(InputError) as caught:
        unpack(packed)
    assert caught.value.remedy


def test_sizes_are_checked_before_unpacking(tmp_path: Path) -> None:
    bomb = zipped(header_json=b"{}", a_npy=npy(np.zeros(1_000_000)))
    assert len(bomb) < 100_000
    with pytest.raises(InputError, match="more than"):
        unpack(bomb, max_bytes=1_000_000)
    (tmp_path / "m").write_bytes(b"x" * 1000)
    with pytest.raises(InputError, match="more than"):
        load(tmp_path / "m", max_bytes=999)
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path / "absent")

"""Every test of the bench has a cache folder of its own; the public collections are read where they are."""

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "data" not in request.fixturenames:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def data() -> Path:
    """The folder of the public collections; their parsed pages stay in the user's cache folder."""
    named = os.environ.get("THRESHER_DATA", "")
    if not named or not Path(named).is_dir():
        pytest.skip("THRESHER_DATA names no folder with the public collections")
    return Path(named)

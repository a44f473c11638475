"""A full disk: the crawl pauses, says so, goes on when there is room, and nothing is corrupt."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from thresher.bench.crash import served
from thresher.simweb.parameters import WebParameters

INSIDE = Path(__file__).with_name("disk_full_inside.py")


def may_mount() -> bool:
    """Tell whether a small file system can be mounted in a mount namespace of its own."""
    if shutil.which("unshare") is None:
        return False
    script = "mount -t tmpfs -o size=1m tmpfs /mnt"
    return subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, check=False).returncode == 0


@pytest.mark.slow
def test_full_disk_pauses_the_crawl_and_room_lets_it_go_on(tmp_path: Path) -> None:
    if not may_mount():
        assert not os.environ.get("CI"), "CI must be able to mount a small file system"
        pytest.skip("a mount namespace is not allowed here")
    small = tmp_path / "small"
    small.mkdir()
    with served(tmp_path, WebParameters(pages=800, hosts=20, seed=6, profile="finite")) as web:
        arguments = [str(small), str(web.port), str(web.log), *web.start_pages]
        script = f'mount -t tmpfs -o size=6m tmpfs "{small}" && exec "{sys.executable}" "{INSIDE}" "$@"'
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", script, "sh", *arguments], capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "went on by itself" in done.stdout

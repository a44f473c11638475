"""A portal on a disk that can only be read: looking works, everything else says so in one sentence."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.test_disk_full import may_mount
from thresher.errors import PortalError
from thresher.portals import create_portal
from thresher.store.disk_failures import disk_failures
from thresher.store.locks import CrawlLock, holder
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, put

LOOKING = ["status", "log", "topics"]
WRITING = ["crawl", "resume", "train", "learn", "harvest", "run", "refresh", "rank", "reclassify", "archetypes"]


@pytest.mark.slow
def test_a_disk_that_can_only_be_read_is_named(tmp_path: Path) -> None:
    if not may_mount():
        assert not os.environ.get("CI"), "CI must be able to mount"
        pytest.skip("a mount namespace is not allowed here")
    pages = (TrainingPage("http://a.test/x"),)
    create_portal(tmp_path / "disk" / "p", "http://a.test/", put(Taxonomy(), ("A",), Topic(name="", pages=pages)))
    disk, portal = tmp_path / "disk", tmp_path / "disk" / "p"
    commands = [[name, str(portal), "--json"] for name in (*LOOKING, *WRITING)]
    commands += [["topics", str(portal), "add", "B", "http://b.test/", "--json"], ["new", str(disk / "q"), "--json"]]
    script = (
        "import contextlib, io, json, sys\n"
        "from thresher.cli.main import call\n"
        "for line in sys.stdin:\n"
        "    out, err = io.StringIO(), io.StringIO()\n"
        "    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):\n"
        "        code = call(json.loads(line))\n"
        "    print(json.dumps([code, err.getvalue()]))\n"
    )
    mounted = f'mount --bind "{disk}" "{disk}" && mount -o remount,ro,bind "{disk}" && exec "{sys.executable}" -c "$0"'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", mounted, script],
        input="".join(json.dumps(command) + "\n" for command in commands),
        capture_output=True,
        text=True,
        check=True,
    )
    for command, line in zip(commands, done.stdout.splitlines(), strict=True):
        code, err = json.loads(line)
        assert "unforeseen" not in err
        if command[0] in LOOKING and "add" not in command:
            assert (code, err) == (0, "")
        else:
            assert code in (4, 7), (command, err)


def test_a_disk_that_can_only_be_read_has_a_sentence_of_its_own() -> None:
    with pytest.raises(PortalError, match="on a read-only disk"), disk_failures():
        raise OSError(errno.EROFS, "Read-only file system", "/p/crawl.lock")


def test_a_lock_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "crawl.lock").mkdir()
    with pytest.raises(PortalError, match="cannot be opened"), CrawlLock(tmp_path):
        pass
    assert holder(tmp_path) is None

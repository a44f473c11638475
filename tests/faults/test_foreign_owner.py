"""Files that belong to somebody else: every command says so in one sentence."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from thresher.portals import create_portal
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, put

pytestmark = pytest.mark.slow

OTHER = 65534
SCRIPT = """
import contextlib, io, json, sys
from thresher.cli.main import call
for line in sys.stdin:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = call(json.loads(line))
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""
WITHOUT_POWER = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
"""Runs a program as root that may not read what belongs to others."""


def run(commands: list[list[str]]) -> list[tuple[int, str, str]]:
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can give files away")
    done = subprocess.run(
        [*WITHOUT_POWER, sys.executable, "-c", SCRIPT],
        input="".join(json.dumps(command) + "\n" for command in commands),
        capture_output=True,
        text=True,
        check=True,
    )
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def given_away(path: Path) -> None:
    path.chmod(0o700 if path.is_dir() else 0o600)
    os.chown(path, OTHER, OTHER)


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    pages = (TrainingPage("http://a.test/x"),)
    create_portal(tmp_path / "p", "http://a.test/", put(Taxonomy(), ("A",), Topic(name="", pages=pages)))
    (tmp_path / "p" / "crawl.lock").touch()
    (tmp_path / "p" / "archive").mkdir()
    return tmp_path / "p"


@pytest.mark.parametrize(
    "what", ["portal.db", "crawl.lock", "portal.lock", "archive", "thresher.toml", "topics.toml", ""]
)
def test_what_belongs_to_somebody_else_is_named(portal: Path, what: str) -> None:
    given_away(portal / what)
    names = ["status", "log", "topics", "doctor", "rank", "crawl", "resume", "train", "run", "refresh", "archetypes"]
    commands = [[name, str(portal), "--json"] for name in names]
    commands += [["export", str(portal), "--warc", str(portal.parent / "x.warc.gz"), "--json"]]
    commands += [["new", str(portal), "--json"], ["topics", str(portal), "add", "B", "http://b.test/", "--json"]]
    for command, (code, out, err) in zip(commands, run(commands), strict=True):
        assert "unforeseen" not in out + err, command
        if command[0] == "doctor":
            assert code == (1 if what else 2), out
        elif code:
            assert json.loads(err.splitlines()[-1])["remedy"]


def test_an_export_target_that_belongs_to_somebody_else_is_named(portal: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    given_away(tmp_path / "secret")
    target = str(tmp_path / "secret" / "x.warc.gz")
    for force in ([], ["--force"]):
        ((code, _, err),) = run([["export", str(portal), "--warc", target, *force, "--json"]])
        assert code in (4, 7)
        assert "unforeseen" not in err

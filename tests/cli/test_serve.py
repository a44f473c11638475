"""`thresher serve` and `thresher users`, as they are called."""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from thresher.portals import create_portal

THRESHER = [sys.executable, "-m", "thresher"]


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    made = tmp_path / "portal"
    create_portal(made, "http://www.a.test/\n")
    return made


@pytest.mark.slow
def test_serve_prints_its_address_once_it_answers(portal: Path) -> None:
    command = [*THRESHER, "serve", str(portal), "--port", "0", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        with urllib.request.urlopen(told["address"] + "healthz", timeout=20) as answer:
            assert json.load(answer) == {"status": "ok"}
        assert told["first_account"].startswith(told["address"] + "first?key=")
        port = told["address"].rstrip("/").rpartition(":")[2]
        again = [*THRESHER, "serve", str(portal), "--port", port]
        taken = subprocess.run(again, check=False, capture_output=True, timeout=60)
        assert taken.returncode == 7
        assert b"cannot be used" in taken.stderr
    finally:
        server.terminate()
        server.wait(timeout=20)


def users(portal: Path, *words: str, password: str = "") -> subprocess.CompletedProcess[str]:
    command = [*THRESHER, "users", str(portal), *words, "--json"]
    return subprocess.run(command, check=False, input=password, capture_output=True, text=True, timeout=60)


@pytest.mark.slow
def test_users_are_added_changed_and_removed(portal: Path) -> None:
    added = users(portal, "add", "maria", "--role", "reviewer", password="a long enough password\n")
    assert [(user["name"], user["role"]) for user in json.loads(added.stdout)["users"]] == [("maria", "reviewer")]
    assert "password" not in added.stdout
    again = users(portal, "add", "Maria", password="a long enough password\n")
    assert again.returncode == 7
    short = users(portal, "password", "maria", password="short\n")
    assert "too short" in json.loads(short.stderr)["error"]
    changed = users(portal, "role", "maria", "--role", "admin")
    assert json.loads(changed.stdout)["users"][0]["role"] == "admin"
    assert users(portal, "remove", "nobody").returncode == 7
    assert json.loads(users(portal, "remove", "maria").stdout)["users"] == []

"""`thresher learn-paths`: from a session file, or from the links that a portal has stored."""

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import inside
from tests.linkscores.test_link_analysis import GOOD, HUB, fill
from tests.sessions.test_sessions import voyages
from thresher.cli.main import call
from thresher.plugins import make_strategy
from thresher.sessions.session_file import read_sessions, write_sessions
from thresher.store.repository import open_store
from thresher.strategies.browsing_hmm import BrowsingHmm


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    store = open_store(tmp_path / "portal", create=True)
    fill(store, "Cats")
    store.close()
    return tmp_path / "portal"


def test_sessions_of_a_file_are_kept_for_the_strategies(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = portal.parent / "browsing.jsonl"
    write_sessions(given, voyages())
    found = inside(capsys, "learn-paths", str(portal), "--sessions", str(given))
    assert (found["pages"], found["links"], found["useful"]) == (18, 12, 6)
    assert found["clicks"] == {"0": 6, "1": 6, "2": 6}
    assert found["strategy"] == "hmm"
    strategy = make_strategy(f"hmm(paths={portal / 'models' / 'paths.jsonl'})")
    assert isinstance(strategy, BrowsingHmm)
    strategy.fit([])
    assert call(["learn-paths", str(portal), "--sessions", str(given)]) == 0
    shown = capsys.readouterr().out
    assert "6 pages 2 clicks away" in shown
    assert "harvest" in shown


def test_stored_links_take_the_place_of_a_person(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = inside(capsys, "learn-paths", str(portal), "--topic", "Cats")
    (session,) = read_sessions(portal / "models" / "paths.jsonl")
    urls = [page.url for page in session.pages]
    assert len(urls) == found["pages"]
    assert (urls.index(HUB), urls.index(GOOD)) in session.links
    assert found["useful"] == len(session.useful) > 0


def test_what_teaches_nothing_is_refused(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = portal.parent / "browsing.jsonl"
    given.write_text('{"pages": [{"url": "http://a.test/"}]}\n')
    for words in (["--sessions", str(given)], ["--topic", "Dogs"]):
        assert call(["learn-paths", str(portal), *words, "--json"]) != 0
        assert json.loads(capsys.readouterr().err)["remedy"]
    assert not (portal / "models" / "paths.jsonl").exists()

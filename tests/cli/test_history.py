"""`thresher history` and `thresher sessions`: from a browser's history to what a harvest learns from."""

import json
import shutil
import sys
from pathlib import Path

import apsw
import pytest

from tests.cli.test_commands import inside
from tests.linkscores.test_link_analysis import GOOD, HUB, fill
from tests.sessions.browser_files import make_chrome, make_firefox
from tests.sessions.test_sessions import voyages
from tests.store.rows import url_row
from thresher.cli.main import call
from thresher.config.load import load
from thresher.errors import InputError
from thresher.runs.path_learning import with_paths
from thresher.sessions.session_file import read_sessions, write_sessions
from thresher.store.records import Batch
from thresher.store.repository import open_store

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "portal"
    store = open_store(path, create=True)
    fill(store, "Cats")
    store.close()
    return path


@pytest.fixture
def portal(filled: Path, tmp_path: Path) -> Path:
    shutil.copytree(filled, tmp_path / "portal")
    return tmp_path / "portal"


@pytest.fixture
def places(tmp_path: Path) -> Path:
    make_firefox(tmp_path / "places.sqlite").close()
    return tmp_path / "places.sqlite"


def test_import_shows_first_and_keeps_only_what_is_wanted(portal: Path, places: Path, capsys: Capture) -> None:
    words = ["history", str(portal), "import", "--file", str(places)]
    shown = inside(capsys, *words)
    assert (shown["done"], shown["sessions"], shown["useful"]) == (False, 3, 2)
    assert inside(capsys, "history", str(portal))["sessions"] == 0
    # The link to the blue boat was followed from the red one, which is thus part of that session.
    narrow = inside(capsys, *words, "--folder", "sea/boats", "--domain", "boats.test", "--domain", "Port.test", "--yes")
    assert (narrow["done"], narrow["new"], narrow["sessions"], narrow["pages"], narrow["useful"]) == (True, 2, 2, 4, 1)
    assert [one["domain"] for one in narrow["domains"]] == ["boats.test", "port.test"]
    kept = inside(capsys, "sessions", str(portal), "show", "1")["sessions"][0]
    assert [(page["url"].rpartition("/")[2], page["clicks"]) for page in kept["page_list"]] == [
        ("", 2),
        ("list", 1),
        ("red", 0),
    ]
    assert (kept["source"], kept["label"]) == ("firefox", "places.sqlite")


def test_importing_again_adds_only_what_is_new(portal: Path, places: Path, capsys: Capture) -> None:
    words = ["history", str(portal), "import", "--file", str(places), "--yes"]
    assert inside(capsys, *words, "--until", "2026-05-28T23:47+00:00")["new"] == 2
    # The second session became longer, and there is a third.
    assert inside(capsys, *words)["new"] == 2
    assert inside(capsys, *words)["new"] == 0
    assert len(inside(capsys, "sessions", str(portal))["sessions"]) == 3


def test_sessions_without_use_and_private_addresses_are_left_out(portal: Path, places: Path, capsys: Capture) -> None:
    words = ["history", str(portal), "import", "--file", str(places)]
    some, every = (
        {one["domain"] for one in inside(capsys, *words, *more)["domains"]}
        for more in (["--folder", "Boats", "--since", "2026-05-28", "--until", "2026-05-28"], ["--all"])
    )
    assert "news.test" not in some
    assert "news.test" in every
    assert "192.168.1.1" not in every
    assert "192.168.1.1" in {
        one["domain"] for one in inside(capsys, *words, "--all", "--domain", "192.168.1.1")["domains"]
    }


def test_chrome_and_files_of_sessions(portal: Path, capsys: Capture) -> None:
    make_chrome(portal.parent / "Default" / "History").close()
    given = portal.parent / "browsing.jsonl"
    write_sessions(given, voyages())
    for file, number in ((portal.parent / "Default" / "History", 1), (given, 6)):
        assert inside(capsys, "history", str(portal), "import", "--file", str(file), "--yes")["new"] == number
    found = inside(capsys, "sessions", str(portal))
    assert {row["source"] for row in found["sessions"]} == {"chrome", "file"}
    assert found["unread"] == 4
    learnt = inside(capsys, "learn-paths", str(portal))
    assert (learnt["source"], learnt["useful"], learnt["unread"]) == ("sessions", 7, 4)


def test_an_earlier_crawl_is_a_source(portal: Path, capsys: Capture) -> None:
    assert call(["history", str(portal), "import", "--crawl", "99", "--json"]) != 0
    assert json.loads(capsys.readouterr().err)["remedy"]
    store = open_store(portal)
    rows = [
        url_row(HUB),
        url_row("http://go.test/", order=1, parent=HUB),
        url_row(GOOD, order=2, parent="http://go.test/", hops=1),
    ]
    store.commit(Batch(crawl=1, at=9.0, urls=rows))
    store.close()
    found = inside(capsys, "history", str(portal), "import", "--crawl", "0", "--yes")
    assert (found["new"], found["pages"], found["links"]) == (1, 2, 1)
    (kept,) = inside(capsys, "sessions", str(portal))["sessions"]
    assert (kept["source"], kept["label"]) == ("crawl", "crawl 1")
    assert inside(capsys, "learn-paths", str(portal))["source"] == "sessions"


def test_profiles_are_found_and_chosen(
    portal: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert call(["history", str(portal), "import", "--json"]) == 7
    assert "No browser" in capsys.readouterr().err
    if sys.platform != "linux":
        pytest.skip("The folders are those of Linux.")
    make_firefox(tmp_path / ".mozilla" / "firefox" / "a.work" / "places.sqlite").close()
    assert inside(capsys, "history", str(portal), "import", "--yes")["new"] == 3
    make_chrome(tmp_path / ".config" / "chromium" / "Default" / "History").close()
    assert call(["history", str(portal), "import", "--json"]) == 7
    assert "chromium, profile Default" in capsys.readouterr().err
    assert inside(capsys, "history", str(portal), "import", "--browser", "chromium", "--yes")["new"] == 1
    found = inside(capsys, "history", str(portal), "profiles")["profiles"]
    assert [one["profile"] for one in found] == ["a.work", "Default"]


def test_forgetting_leaves_nothing_behind(portal: Path, places: Path, capsys: Capture) -> None:
    inside(capsys, "history", str(portal), "import", "--file", str(places), "--yes")
    inside(capsys, "learn-paths", str(portal))
    words = ["history", str(portal), "forget"]
    assert call([*words, "--json"]) == 2
    capsys.readouterr()
    assert not inside(capsys, *words, "--domain", "boats.test")["done"]
    assert "boats.test/red" in (portal / "models" / "paths.jsonl").read_text()
    assert inside(capsys, *words, "--domain", "boats.test", "--yes")["pages"] == 2
    assert "boats.test" not in {one["domain"] for one in inside(capsys, "history", str(portal))["domains"]}
    assert "boats.test" not in (portal / "models" / "paths.jsonl").read_text()
    assert inside(capsys, *words, "--until", "2020-01-01", "--yes")["pages"] == 0
    assert inside(capsys, *words, "--all", "--yes")["pages"] > 0
    assert inside(capsys, "sessions", str(portal))["sessions"] == []
    assert not (portal / "models" / "paths.jsonl").exists()
    for file in portal.glob("portal.db*"):
        assert b"boats.test/red" not in file.read_bytes()


def test_a_damaged_file_of_paths_does_not_keep_what_is_forgotten(portal: Path, places: Path, capsys: Capture) -> None:
    inside(capsys, "history", str(portal), "import", "--file", str(places), "--yes")
    inside(capsys, "learn-paths", str(portal))
    file = portal / "models" / "paths.jsonl"
    file.write_text(file.read_text() + '{"pages":[{"url"')
    assert inside(capsys, "history", str(portal), "forget", "--domain", "boats.test", "--yes")["pages"] == 2
    assert not file.exists()


def test_what_cannot_be_forgotten_in_the_file_of_paths_is_not_forgotten_elsewhere(
    portal: Path, places: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside(capsys, "history", str(portal), "import", "--file", str(places), "--yes")
    inside(capsys, "learn-paths", str(portal))
    before = (portal / "models" / "paths.jsonl").read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.replace", full)
        assert call(["history", str(portal), "forget", "--domain", "boats.test", "--yes"]) != 0
    capsys.readouterr()
    assert (portal / "models" / "paths.jsonl").read_bytes() == before
    assert "boats.test" in {one["domain"] for one in inside(capsys, "history", str(portal))["domains"]}


def test_stored_pages_lend_their_words_and_links(portal: Path, capsys: Capture) -> None:
    given = portal.parent / "browsing.jsonl"
    pages = [{"url": HUB}, {"url": GOOD}, {"url": "http://new.test/", "title": "Red boats"}]
    given.write_text(json.dumps({"pages": pages, "links": [[0, 2]], "useful": [1, 2]}) + "\n")
    inside(capsys, "history", str(portal), "import", "--file", str(given), "--yes")
    assert inside(capsys, "sessions", str(portal), "fetch")["fetch"] == ["http://new.test/"]
    learnt = inside(capsys, "learn-paths", str(portal))
    assert (learnt["source"], learnt["links"], learnt["unread"]) == ("sessions", 2, 1)
    (session,) = read_sessions(portal / "models" / "paths.jsonl")
    assert session.pages[2].terms == {"red": 1, "boat": 1}
    assert session.pages[0].terms
    assert inside(capsys, "learn-paths", str(portal), "--from", "links")["source"] == "links"
    assert call(["learn-paths", str(portal), "--from", "sessions", "--topic", "Cats"]) == 2


def test_the_learnt_paths_are_found_without_being_named(portal: Path, capsys: Capture) -> None:
    settings = load(portal).settings
    with pytest.raises(InputError, match="has not learned any paths"):
        with_paths(portal, "hmm(states=3)", settings)
    assert with_paths(portal, "context-graph", settings) is settings
    assert with_paths(portal, "hmm(paths=own.jsonl)", settings) is settings
    inside(capsys, "learn-paths", str(portal))
    for name in ("hmm", "context-graph"):
        found = with_paths(portal, name, settings).strategy[name]["paths"]
        assert Path(found) == (portal / "models" / "paths.jsonl").resolve()
    assert with_paths(portal, "best-first", settings) is settings


def test_people_read_what_would_be_kept(portal: Path, places: Path, capsys: Capture) -> None:
    assert call(["history", str(portal), "import", "--file", str(places)]) == 0
    shown = capsys.readouterr().out
    assert "boats.test" in shown
    assert "Nothing was imported" in shown
    assert call(["history", str(portal), "import", "--file", str(places), "--yes"]) == 0
    assert "Kept 3 sessions" in capsys.readouterr().out
    for words, said in (
        (["sessions", str(portal)], "Not in the portal"),
        (["sessions", str(portal), "show", "1"], "2 clicks"),
        (["sessions", str(portal), "fetch"], "would be fetched"),
        (["history", str(portal)], "useful"),
        (["history", str(portal), "profiles"], "profile"),
        (["history", str(portal), "forget", "--all"], "Nothing was forgotten"),
        (["history", str(portal), "forget", "--all", "--yes"], "Forgot"),
        (["learn-paths", str(portal)], "of stored pages"),
    ):
        assert call(words) == 0
        assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["history", "", "delete"], 2),
        (["history", "", "import", "--since", "soon"], 2),
        (["history", "", "import", "--domain", "a b"], 2),
        (["history", "", "import", "--file", "x", "--crawl", "1"], 2),
        (["history", "", "import", "--file", "none.sqlite"], 7),
        (["sessions", "", "open"], 2),
        (["sessions", "", "show", "9"], 7),
        (["learn-paths", "", "--from", "air"], 2),
    ],
)
def test_wrong_words_get_a_sentence(portal: Path, capsys: Capture, words: list[str], code: int) -> None:
    assert call([words[0], str(portal), *words[2:], "--json"]) == code
    assert json.loads(capsys.readouterr().err)["remedy"]


def test_an_unknown_folder_names_those_there_are(portal: Path, places: Path, capsys: Capture) -> None:
    assert call(["history", str(portal), "import", "--file", str(places), "--folder", "Planes", "--json"]) == 7
    assert "menu/Sea/Boats" in json.loads(capsys.readouterr().err)["remedy"]


def test_sessions_are_not_shown_to_queries_of_experts(portal: Path) -> None:
    from thresher.store.look_ups import QueryLimits
    from thresher.store.repository import look_up

    for table in ("browsing_pages", "browser_keys"):
        with pytest.raises(InputError, match="refused"):
            look_up(portal, f"SELECT * FROM {table}", QueryLimits())
    assert apsw.Connection(str(portal / "portal.db")).execute("SELECT count(*) FROM browsing_pages").get == 0

"""The histories of browsers: what is read of them, locked or damaged as they may be, and where they lie."""

import json
import os
import random
from contextlib import suppress
from pathlib import Path

import apsw
import pytest

from tests.sessions.browser_files import CHROME_VISITS, FIREFOX_VISITS, START, make_chrome, make_firefox
from thresher.errors import InputError
from thresher.sessions import history_file
from thresher.sessions.chrome import is_chrome, read_chrome
from thresher.sessions.firefox import is_firefox, read_firefox
from thresher.sessions.history_file import is_database, opened
from thresher.sessions.profiles import profiles
from thresher.sessions.visits import BookmarkedPage, History, walks

LATER = START + 1e6


def firefox(path: Path, since: float = 0.0, until: float = LATER) -> History:
    with opened(path) as file:
        assert is_firefox(file)
        assert not is_chrome(file)
        return read_firefox(file, since, until)


def chrome(path: Path, since: float = 0.0, until: float = LATER) -> History:
    with opened(path) as file:
        assert is_chrome(file)
        assert not is_firefox(file)
        return read_chrome(file, since, until)


def test_firefox_tells_visits_and_bookmarks(tmp_path: Path) -> None:
    make_firefox(tmp_path / "places.sqlite").close()
    found = firefox(tmp_path / "places.sqlite")
    assert [visit.id for visit in found.visits if not visit.again] == [1, 2, 3, 4, 7, 9, 10, 11]
    assert [visit.id for visit in found.visits if visit.again] == [6]
    assert found.visits[1].url == "https://port.test/list"
    assert found.visits[0].at == START
    assert [visit.followed for visit in found.visits[:4]] == [False, True, True, False]
    # A tag is a folder of its own, and no bookmark.
    assert found.bookmarks == [
        BookmarkedPage("https://boats.test/red", ("menu", "Sea", "Boats")),
        BookmarkedPage("https://news.test/", ("menu",)),
    ]
    first = walks(found.visits)[0]
    urls = [visit.url for visit in first.visits]
    assert urls[:3] == ["https://www.port.test/", "https://port.test/list", "https://boats.test/red"]
    assert first.links == [(0, 1), (1, 2)]


def test_chrome_tells_visits(tmp_path: Path) -> None:
    make_chrome(tmp_path / "History").close()
    found = chrome(tmp_path / "History")
    assert [visit.id for visit in found.visits] == [1, 2, 3, 4, 6, 7, 8]
    assert found.visits[0].at == START
    first = walks(found.visits)[0]
    assert [visit.url.rpartition("/")[2] for visit in first.visits] == ["", "list", "red", "tab"]
    # Going back to the list is no link from the boat, and a tab was opened from the list.
    assert first.links == [(0, 1), (1, 2), (1, 3)]


def test_chrome_tells_a_page_that_was_reloaded(tmp_path: Path) -> None:
    reloaded = (9, 0, 1.5, 8, "https://port.test/list")
    make_chrome(tmp_path / "History", [*CHROME_VISITS[:2], reloaded, (10, 9, 2.0, 0, "https://boats.test/red")]).close()
    found = chrome(tmp_path / "History").visits
    assert [visit.id for visit in found if visit.again] == [9]
    assert walks(found)[0].links == [(0, 1), (1, 2)]


def test_only_the_time_asked_for_is_read(tmp_path: Path) -> None:
    make_firefox(tmp_path / "places.sqlite").close()
    make_chrome(tmp_path / "History").close()
    assert [visit.id for visit in firefox(tmp_path / "places.sqlite", START + 60, START + 180).visits] == [2, 3, 4]
    assert [visit.id for visit in chrome(tmp_path / "History", START + 60, START + 180).visits] == [2, 3, 4]


@pytest.mark.parametrize("lock", ["wal", "exclusive"])
def test_a_running_browser_does_not_matter(tmp_path: Path, lock: str) -> None:
    path = tmp_path / "places.sqlite"
    browser = make_firefox(path, wal=lock == "wal")
    if lock == "exclusive":
        browser.pragma("locking_mode", "exclusive")
        browser.execute("BEGIN EXCLUSIVE")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert ("places.sqlite-wal" in before) == (lock == "wal")
    assert len(firefox(path).visits) == 9
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    browser.close()


def test_a_file_that_changes_while_it_is_copied_is_copied_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "places.sqlite"
    make_firefox(path).close()
    states = iter(["one", "two", "three", "three"])
    real = history_file._state
    monkeypatch.setattr(history_file.time, "sleep", lambda _: None)
    seen: list[str] = []

    def state(name: Path) -> list[tuple[str, int, int]]:
        seen.append(next(states, f"{len(seen)}"))
        return [(file, size, hash(seen[-1])) for file, size, _ in real(name)]

    monkeypatch.setattr(history_file, "_state", state)
    assert len(firefox(path).visits) == 9
    assert seen == ["one", "two", "three", "three"]
    with pytest.raises(InputError, match="keeps changing"), opened(path):
        pass


def test_what_is_no_history_is_refused_in_one_sentence(tmp_path: Path) -> None:
    text, pipe, other = tmp_path / "text", tmp_path / "pipe", tmp_path / "other.db"
    text.write_text("SQLite format 3")
    os.mkfifo(pipe)
    connection = apsw.Connection(str(other))
    connection.execute("CREATE TABLE urls (id)")
    connection.close()
    assert not is_database(pipe)
    assert not is_database(tmp_path)
    for path in (text, pipe, tmp_path, tmp_path / "none"):
        with pytest.raises(InputError) as caught, opened(path):
            pass
        assert caught.value.remedy
    with opened(other) as file:
        assert not is_chrome(file)
        assert not is_firefox(file)


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "places.sqlite"
    with path.open("wb") as file:
        file.truncate(history_file.LARGEST + 1)
    with pytest.raises(InputError, match="larger than"), opened(path):
        pass


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_file_gives_visits_or_a_sentence(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "places.sqlite"
    make_firefox(path).close()
    data = bytearray(path.read_bytes())
    chance = random.Random(seed)
    for _ in range(30):
        data[chance.randrange(100, len(data))] = chance.randrange(256)
    path.write_bytes(data[: len(data) // 2] if seed % 4 == 0 else data)
    # Whatever the bytes say, nothing but our own error may come of them.
    with suppress(InputError), opened(path) as file:
        if is_firefox(file):
            assert len(read_firefox(file, 0.0, LATER).visits) <= len(FIREFOX_VISITS)


def test_views_triggers_and_odd_values_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "places.sqlite"
    connection = make_firefox(path, FIREFOX_VISITS[:2])
    connection.execute("UPDATE moz_places SET title = x'ff00' WHERE id = 2")
    connection.execute("INSERT INTO moz_places (id, url) VALUES (50, 7), (51, ?)", ("http://a.test/" + "a" * 3000,))
    connection.execute(
        "INSERT INTO moz_historyvisits (id, from_visit, place_id, visit_date, visit_type)"
        " VALUES (50, 'x', 1, 5, 1), (51, 0, 50, 6, 1), (52, 0, 51, 7, 1), (53, 0, 1, 'soon', 1), (54, NULL, 1, 8, 1)"
    )
    connection.execute("UPDATE moz_bookmarks SET parent = 5 WHERE id = 4")
    connection.close()
    assert [visit.id for visit in firefox(path).visits] == [54, 1]
    endless = tmp_path / "endless.sqlite"
    connection = make_firefox(endless, [])
    connection.execute("DROP TABLE moz_historyvisits")
    connection.execute(
        "CREATE VIEW moz_historyvisits AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT i AS id, 0 AS from_visit, 1 AS place_id, i AS visit_date, 1 AS visit_type FROM n"
    )
    connection.close()
    with opened(endless) as file:
        assert not is_firefox(file)
        for sql in ("SELECT * FROM moz_historyvisits", "SELECT load_extension('x')", "DELETE FROM moz_places"):
            with pytest.raises(InputError):
                file.rows(sql)


def test_a_query_that_takes_too_long_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_file, "SECONDS", 0.0)
    monkeypatch.setattr(history_file, "_STEPS", 1)
    make_chrome(tmp_path / "History").close()
    with opened(tmp_path / "History") as file, pytest.raises(InputError, match="takes more than"):
        read_chrome(file, 0.0, LATER)


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_profiles_are_found_on_every_platform(tmp_path: Path, platform: str) -> None:
    mozilla, google = {
        "linux": (".mozilla/firefox", ".config/google-chrome"),
        "darwin": ("Library/Application Support/Firefox", "Library/Application Support/Google/Chrome"),
        "win32": ("AppData/Roaming/Mozilla/Firefox", "AppData/Local/Google/Chrome/User Data"),
    }[platform]
    make_firefox(tmp_path / mozilla / "Profiles" / "abc.default" / "places.sqlite", []).close()
    make_firefox(tmp_path / "elsewhere" / "places.sqlite", []).close()
    (tmp_path / mozilla / "profiles.ini").write_text(
        "[General]\nVersion=2\n[Profile0]\nName=work\nIsRelative=1\nPath=Profiles/abc.default\n"
        f"[Profile1]\nName=far\nIsRelative=0\nPath={tmp_path / 'elsewhere'}\n"
        "[Profile2]\nName=gone\nPath=Profiles/none\n"
    )
    make_chrome(tmp_path / google / "Default" / "History", []).close()
    make_chrome(tmp_path / google / "Profile 1" / "History", CHROME_VISITS).close()
    state = {"profile": {"info_cache": {"Profile 1": {"name": "Maria"}, "Default": 7}}}
    (tmp_path / google / "Local State").write_text(json.dumps(state))
    found = profiles(tmp_path, platform, {})
    assert [(one.browser, one.name) for one in found] == [
        ("firefox", "work"),
        ("firefox", "far"),
        ("chrome", "Default"),
        ("chrome", "Maria"),
    ]
    assert len(chrome(found[3].history).visits) == 7
    assert found[3].bookmarks == found[3].history.with_name("Bookmarks")


def test_folders_may_be_elsewhere_and_files_broken(tmp_path: Path) -> None:
    assert profiles(tmp_path, "linux", {}) == []
    make_chrome(tmp_path / "moved" / "chromium" / "Default" / "History", []).close()
    (tmp_path / "moved" / "chromium" / "Local State").write_text("{")
    make_firefox(tmp_path / ".mozilla" / "firefox" / "x.default" / "places.sqlite", []).close()
    (tmp_path / ".mozilla" / "firefox" / "profiles.ini").write_text("no section\n")
    found = profiles(tmp_path, "linux", {"XDG_CONFIG_HOME": str(tmp_path / "moved")})
    assert [(one.browser, one.name) for one in found] == [("firefox", "x.default"), ("chromium", "Default")]

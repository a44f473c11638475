"""The page for other portals: asking and using as work of their own, allowing and forgetting with undo."""

from typing import Any

import msgspec
import pytest

from tests.peers.loopback import serving
from tests.portal.made import Made, token_for
from tests.portal.test_organise import Inside, Noted, post
from thresher.api.peers import Peers
from thresher.portal.work_commands import commands_of
from thresher.portals import create_portal
from thresher.store.peer_records import NeighbourRow, PeerModelRow, PeerRow, PeerState
from thresher.store.portal_records import Role
from thresher.store.work_records import WorkKind, result_file

KEY = "ab" * 32


def row(state: PeerState = PeerState.ASKED, key: str = KEY, name: str = "Anna's boats") -> PeerRow:
    return PeerRow(key=key, name=name, address="https://anna.test/", state=state, since=1.0)


def model(**changes: Any) -> PeerModelRow:
    usual = {"peer": KEY, "topic": "Yachts", "version": "1", "own": "Boats", "at": 1.0, "accuracy": 0.93, "low": 0.8}
    rest = {"pages": 20, "centre": 0.0, "unit": 1.0, "used": True, "model": b"{}"}
    return PeerModelRow(**{**usual, **rest, **changes})


def test_the_page_tells_the_own_key_the_peers_and_what_each_button_means(made: Made) -> None:
    admin = made.signed_in(Role.ADMIN)
    text = admin.get("/manage/peers").text
    assert "does not answer other portals yet" in text
    assert Peers(made.folder).spaced_key in text
    assert "No other portal is known yet." in text
    made.store.peers.put(row(PeerState.ALLOWED))
    made.store.peers.put(row(key="cd" * 32, name="Eve"))
    made.store.peers.put_models(KEY, [model(), model(topic="Cakes", own=None, used=False)])
    made.store.peers.set_neighbours([NeighbourRow("ef" * 32, "https://third.test/", 9e9, "00")])
    text = admin.get("/manage/peers").text
    assert "93 % correct on our training pages" in text
    assert "asks to be allowed" in text
    assert "It never receives pages." in text
    assert text.count('action="/manage/peers/allow"') == 1, "only for the one that is not allowed"
    german = admin.get("/manage/peers", headers={"accept-language": "de"}).text
    assert "bittet um Zulassung" in german


def test_a_portal_is_allowed_blocked_and_forgotten_and_each_is_undone(made: Made) -> None:
    admin = made.signed_in(Role.ADMIN)
    made.store.peers.put(row())
    peers = made.store.peers

    def state() -> PeerState | None:
        found = peers.get(KEY)
        return found.state if found else None

    done = post(admin, "/manage/peers/allow", key=KEY, name="Anna").headers["location"]
    assert [(one.name, one.state) for one in peers.all()] == [("Anna", PeerState.ALLOWED)]
    assert "Saved." in admin.get(done).text
    peers.put_models(KEY, [model()])
    blocking = post(admin, "/manage/peers/forget", key=KEY, block="true").headers["location"].rpartition("=")[2]
    assert state() is PeerState.BLOCKED
    assert peers.models() == []
    assert post(admin, "/manage/undo", number=blocking).status_code == 303
    assert state() is PeerState.ALLOWED
    forgetting = post(admin, "/manage/peers/forget", key=KEY).headers["location"].rpartition("=")[2]
    assert state() is None
    post(admin, "/manage/undo", number=forgetting)
    assert state() is PeerState.ALLOWED
    post(admin, "/manage/undo", number=forgetting)
    assert state() is None, "done again"
    peers.put(row(PeerState.BLOCKED))
    assert post(admin, "/manage/undo", number=forgetting).status_code == 409, "it was changed since"
    assert "Other portal" in admin.get("/manage/changes").text


def test_undoing_an_allowance_silences_the_models(made: Made) -> None:
    admin = made.signed_in(Role.ADMIN)
    made.store.peers.put(row())
    number = post(admin, "/manage/peers/allow", key=KEY).headers["location"].rpartition("=")[2]
    made.store.peers.put_models(KEY, [model()])
    post(admin, "/manage/undo", number=number)
    assert [one.state for one in made.store.peers.all()] == [PeerState.ASKED]
    assert made.store.peers.models() == []


@pytest.mark.slow
def test_asking_is_work_and_tells_the_key_to_compare(made: Made) -> None:
    (made.folder / "thresher.toml").write_text('[network]\nallow = ["127.0.0.1"]\n')
    made.app.state.bench = Inside(made.folder, made.store)
    admin = made.signed_in(Role.ADMIN, "Ada")
    other = made.folder.parent / "other"
    create_portal(other)
    with serving(other) as address:
        asked = post(admin, "/manage/peers/ask", address=address, name="The other")
        text = admin.get(asked.headers["location"]).text
    assert "Asked The other." in text
    assert Peers(other).spaced_key in text
    assert "once its owner allows this portal" in text
    assert [(one.name, one.state) for one in made.store.peers.all()] == [("The other", PeerState.ALLOWED)]
    used = post(admin, "/manage/peers/use")
    text = admin.get(used.headers["location"]).text
    assert "have not been learned yet" in text
    assert "Ask a portal" in admin.get("/manage/peers").text


def test_what_was_used_is_told_by_topic_with_what_went_wrong(made: Made) -> None:
    made.app.state.bench = Noted(made.folder, made.store)
    admin = made.signed_in(Role.ADMIN)
    place = post(admin, "/manage/peers/use", loss="0,2", error="0.05").headers["location"]
    (work,) = made.store.works.newest(1)
    assert commands_of(work, made.folder, made.store)[0][2:] == ["--json", "use", "--loss=0.2", "--error=0.05"]
    assert "Other portals are being asked." in admin.get(place).text
    file = result_file(made.folder, work.id)
    file.parent.mkdir(exist_ok=True)
    plan = {"topic": "Boats", "models": 3, "loss": 0.21, "error": 0.034, "reached": False}
    alone = {"topic": "Tea", "models": 1, "loss": None, "error": None, "reached": True}
    note = {"peer": KEY, "name": "<b>Eve", "sentence": "Its answer cannot be used."}
    file.write_bytes(msgspec.json.encode({"portal": "x", "topics": [plan, alone], "notes": [note]}))
    made.store.works.end(work.id, work.asked + 1, 0)
    text = admin.get(place).text
    assert "21 % of the pages undecided, 3.4 % of the others wrong" in text
    assert "no combination reaches what you asked for" in text
    assert "two models are needed" in text
    assert "&lt;b&gt;Eve" in text
    assert admin.get(f"/crawl/work/{work.id}").text.count(place) == 1


@pytest.mark.parametrize(
    ("path", "fields", "told"),
    [
        ("ask", {"address": "ftp://a.test/"}, "not the address of a portal"),
        ("ask", {"address": "https://a.test/", "key": "12"}, "not a key"),
        ("use", {"loss": "nan"}, ""),
        ("use", {"error": "7"}, ""),
        ("allow", {"key": KEY}, "no such portal"),
        ("forget", {"key": "Anna's boats"}, "no such portal"),
    ],
    ids=range(6),
)
def test_bad_fields_get_one_sentence_and_start_nothing(
    made: Made, path: str, fields: dict[str, str], told: str
) -> None:
    made.app.state.bench = Noted(made.folder, made.store)
    admin = made.signed_in(Role.ADMIN)
    answer = admin.post(f"/manage/peers/{path}", data={**fields, "token": token_for(admin)})
    assert answer.status_code in (400, 404)
    assert told in answer.text
    assert made.store.works.newest(10) == []


def test_words_of_a_form_never_become_options(made: Made) -> None:
    made.app.state.bench = Noted(made.folder, made.store)
    admin = made.signed_in(Role.ADMIN)
    post(admin, "/manage/peers/ask", address="https://a.test/", name="--block", key=KEY.upper())
    (work,) = made.store.works.newest(1)
    assert work.kind is WorkKind.PEERS
    assert work.arguments == ("ask", "--name=--block", f"--key={KEY}", "--", "https://a.test/")
    again = post(admin, "/manage/peers/use")
    assert again.status_code == 409, "one at a time"

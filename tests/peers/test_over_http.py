"""Portals on loopback: the command, the server, the portal's own server, and what a network can send."""

import json
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.peers.loopback import serving
from tests.peers.made import classifier_of, page, training
from thresher.analysers import trained
from thresher.classify.opinions import FILE as OPINIONS
from thresher.classify.opinions import HearingClassifier, load_opinions
from thresher.cli.main import call
from thresher.config.load import load
from thresher.models import newest_model, save_model
from thresher.organise.topic_judges import portal_judges
from thresher.organise.topic_pages import TopicPage
from thresher.peers.gossip import Gossip
from thresher.peers.keys import PeerKey
from thresher.peers.messages import MOST_BYTES, sealed
from thresher.peers.server import alone
from thresher.plugins import make_strategy
from thresher.portal.app import make_app
from thresher.portals import create_portal
from thresher.runs.peering import Peering
from thresher.store.peer_records import PeerRow, PeerState
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, put

TOML = """
[network]
allow = ["127.0.0.1"]

[peers]
enabled = true
"""


def portal(folder: Path, topics: dict[str, str], first: int) -> Path:
    """Make a portal that was taught eight pages of each subject."""
    tree = Taxonomy()
    for topic in topics.values():
        tree = put(tree, (topic,), Topic(name=topic, pages=(TrainingPage(f"http://seed.test/{topic}"),)))
    create_portal(folder, topics=tree)
    (folder / "thresher.toml").write_text(TOML)
    made = training(topics, range(first, first + 8), folder.name)
    with closing(open_store(folder)) as store:
        save_model(folder, store, classifier_of(made), made, at=1.0)
    return folder


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("peers")
    sea = portal(folder / "sea", {"sailing": "Boats", "baking": "Bread"}, 0)
    return sea, portal(folder / "land", {"sailing": "Yachts", "baking": "Kitchen"}, 30)


def run(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    """Call the command and return the object it prints."""
    assert call([*map(str, words), "--json"]) == 0, capsys.readouterr().err
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.slow
def test_two_portals_ask_allow_use_and_forget(two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    sea, land = two
    with serving(land) as address:
        asked = run(capsys, "peers", sea, "ask", address, "--name", "land")
        assert [(one["name"], one["state"]) for one in asked["peers"]] == [("land", "allowed")]
        # Nothing is given before the owner of the other portal agrees.
        used = run(capsys, "peers", sea, "use")
        assert used["topics"] == []
        assert [note["sentence"] for note in used["notes"]] == [
            "It refused the message: The sender has not been allowed."
        ]
        listed = run(capsys, "peers", land)
        assert [(one["name"], one["state"]) for one in listed["peers"]] == [("sea", "asked")]
        run(capsys, "peers", land, "allow", "sea", "--name", "the sea")
        _exchanges_lists(sea, address)
        assert call(["peers", str(sea), "use"]) == 0
        assert "Boats: 1 model in use" in capsys.readouterr().out
        used = run(capsys, "peers", sea, "use", "--error", "0.2")
        assert [(one["topic"], one["models"]) for one in used["topics"]] == [("Boats", 1), ("Bread", 1)]
    file = sea / "models" / OPINIONS
    assert {topic: len(found.opinions) for topic, found in load_opinions(file).items()} == {"Boats": 1, "Bread": 1}
    shown = run(capsys, "peers", sea)
    assert {(one["topic"], one["own"], one["used"]) for one in shown["peers"][0]["models"]} == {
        ("Yachts", "Boats", True),
        ("Kitchen", "Bread", True),
    }
    # A peer that is away keeps its vote.
    used = run(capsys, "peers", sea, "use")
    assert [one["models"] for one in used["topics"]] == [1, 1]
    assert "cannot be reached" in used["notes"][0]["sentence"]
    _filter_hears(sea)
    assert run(capsys, "peers", sea, "forget", "land", "--block")["peers"][0]["state"] == "blocked"
    assert not file.exists()
    assert call(["peers", str(sea), "forget", shown["peers"][0]["key"][:10]]) == 0
    assert "0 peers" in capsys.readouterr().out


def _exchanges_lists(folder: Path, address: str) -> None:
    """Let a portal exchange neighbour lists once, as its server does from time to time."""
    with closing(open_store(folder)) as store:
        peering = Peering(folder, store, load(folder).settings)
        partner = peering.exchange()
        assert partner is not None
        assert [(one.key, one.address) for one in peering.neighbours()] == [(partner.key, address)]
        done = threading.Event()
        failing = iter([True])

        def exchange() -> None:
            if next(failing, False):
                raise RuntimeError("the first time fails")
            done.set()

        # Time stands far ahead at every look, so that each is due.
        times = iter(range(10**9, 10**12, 10**6))
        gossip = Gossip(exchange, store.tries, lambda: float(next(times)), 0.0)
        gossip.start()
        assert done.wait(20)
        gossip.stop()


def _filter_hears(folder: Path) -> None:
    with closing(open_store(folder)) as store:
        judge = portal_judges(folder, store)("Boats")
        together = portal_judges(folder, store, together=True)("Boats")
        _, model = newest_model(folder, store)
        crawling = trained(make_strategy("breadth-first"), "breadth-first", model)[1]
        file = folder / "models" / OPINIONS
        kept = file.read_bytes()
        file.unlink()
        alone_judge = portal_judges(folder, store)("Boats")
        file.write_bytes(kept)
    assert isinstance(crawling, HearingClassifier)
    assert crawling.classify(page("sailing", 401)).topic == "Boats"
    assert judge is not None
    assert together is not None
    assert alone_judge is not None
    pages = [page("sailing", 400), page("baking", 400)]
    rows = [TopicPage(place, one.url, "", "Boats", 0.5) for place, one in enumerate(pages)]
    bags = [one.terms for one in pages]
    heard, own = judge.factors(rows, bags), alone_judge.factors(rows, bags)
    assert heard.tolist() != own.tolist()
    assert heard[0] > heard[1]
    assert together.factors(rows, bags)[0] > together.factors(rows, bags)[1]
    assert judge.curve is not None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["dance"], "There is no action 'dance'"),
        (["allow"], "No peer was given"),
        (["ask"], "No peer was given"),
        (["allow", "nobody"], "There is no peer 'nobody'"),
        (["forget", "\x1b[31m"], "There is no peer"),
        (["ask", "ftp://a.test/"], "is not the address of a portal"),
        (["ask", "http://127.0.0.1:1/"], "did not answer"),
        (["ask", "http://127.0.0.1:1/", "--key", "12"], "64 hexadecimal digits"),
        (["ask", "http://192.168.7.7/"], "did not answer"),
        (["use", "--loss", "7"], "--loss"),
        (["serve", "--host", "no such host"], "cannot be used"),
    ],
    ids=range(11),
)
def test_bad_words_get_one_sentence(
    two: tuple[Path, Path], words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["peers", str(two[0]), *words]) != 0
    told = capsys.readouterr().err
    assert sentence in told
    assert "Traceback" not in told


def test_a_private_address_is_not_reached_unless_it_is_allowed(
    two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lone = portal(tmp_path / "lone", {"sailing": "Boats", "baking": "Bread"}, 0)
    (lone / "thresher.toml").write_text("")
    with serving(two[1]) as address:
        assert call(["peers", str(lone), "ask", address]) != 0
    assert "Its address is private" in (told := capsys.readouterr().err) or "did not answer" in told
    with closing(open_store(lone)) as store:
        assert store.peers.all() == []


def test_a_portal_with_another_key_than_expected_is_refused(
    two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(two[1]) as address:
        assert call(["peers", str(two[0]), "ask", address, "--key", "ab" * 32]) != 0
    assert "did not answer" in capsys.readouterr().err


def test_the_portal_serves_peers_only_if_that_is_switched_on(two: tuple[Path, Path], tmp_path: Path) -> None:
    with closing(open_store(two[1])) as store:
        settings = load(two[1]).settings
        eve = PeerKey(bytes(32))
        message = sealed(eve, "", "ask", {"name": "eve"}, at=time.time(), nonce=bytes(16))
        client = TestClient(make_app(two[1], store, settings), base_url="http://127.0.0.1")
        answer = client.post("/peers/message", content=message)
        assert answer.status_code == 200
        assert answer.json()["body"]["state"] == "asked"
        assert client.post("/peers/message", content=message).json()["refused"] == "replayed"
        assert client.get("/peers/message").status_code == 405
        assert client.post("/peers/message", content=b"{}").json()["refused"] == "malformed"
        assert client.post("/peers/message", content=b" " * (MOST_BYTES + 1)).status_code == 413
        store.peers.forget(eve.public)
        off = settings.model_copy(update={"peers": settings.peers.model_copy(update={"enabled": False})})
        client = TestClient(make_app(two[1], store, off), base_url="http://127.0.0.1")
        assert client.post("/peers/message", content=message).status_code == 404


def test_a_private_address_is_announced_only_where_it_is_allowed(two: tuple[Path, Path]) -> None:
    own, public = "http://127.0.0.1:8090/", "http://sea.test:8090/"
    with closing(open_store(two[0])) as store:
        for said, announced in (("http://0.0.0.0:8090/", ""), (own, own), (public, public)):
            peering = Peering(two[0], store, load(two[0]).settings)
            peering.responder(said)
            assert peering.address == announced


def test_a_name_never_hides_a_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create_portal(tmp_path / "portal")
    friend, stranger = "0123456789abcdef" + "11" * 24, "ff" * 32
    with closing(open_store(tmp_path / "portal")) as store:
        for key, name in ((friend, "anna"), (stranger, friend[:16])):
            store.peers.put(PeerRow(key=key, name=name, address="", state=PeerState.ASKED, since=1.0))
    assert call(["peers", str(tmp_path / "portal"), "allow", friend[:16]]) != 0
    assert "matches 2 peers" in capsys.readouterr().err
    found = run(capsys, "peers", tmp_path / "portal", "allow", friend[:4])
    assert {one["key"]: one["state"] for one in found["peers"]} == {friend: "allowed", stranger: "asked"}


def test_a_body_without_an_end_is_cut_off(two: tuple[Path, Path]) -> None:
    with closing(open_store(two[1])) as store:
        client = TestClient(alone(Peering(two[1], store, load(two[1]).settings).responder()))
        endless = (b" " * 0x10000 for _ in range(100))
        assert client.post("/peers/message", content=endless).json()["refused"] == "too-large"

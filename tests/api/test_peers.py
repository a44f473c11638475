"""`Portal.peers`: other portals, from Python."""

from contextlib import closing
from pathlib import Path

import pytest

from tests.peers.loopback import serving
from thresher import Portal, ThresherError
from thresher.portals import create_portal
from thresher.store.peer_records import PeerState
from thresher.store.repository import open_store

ALLOWING = '[network]\nallow = ["127.0.0.1"]\n'


def test_two_portals_become_peers_and_part(tmp_path: Path) -> None:
    sea, land = tmp_path / "sea", tmp_path / "land"
    for folder in (sea, land):
        create_portal(folder)
        (folder / "thresher.toml").write_text(ALLOWING)
    ours, theirs = Portal.open(sea).peers, Portal.open(land).peers
    assert (len(ours), ours.name, ours.address) == (0, "sea", "")
    with serving(land) as address:
        asked = ours.ask(address, key=theirs.spaced_key)
        assert (asked.peer.key, asked.allows) == (theirs.key, False)
        assert [(peer.name, peer.state, peer.key) for peer in theirs] == [("sea", PeerState.ASKED, ours.key)]
        assert theirs.allow("sea", name="the sea").name == "the sea"
        assert ours.ask(address).allows
    assert theirs.get(ours.key[:8]).spaced_key == ours.spaced_key
    assert repr(theirs) == "<1 peer>"
    assert theirs.forget("the sea", block=True).state is PeerState.ALLOWED
    assert theirs.get(ours.key).state is PeerState.BLOCKED
    theirs.forget(ours.key)
    assert theirs.listed() == []
    assert theirs.to_dict()["peers"] == []
    with closing(open_store(sea)) as store:
        assert [row.key for row in store.peers.all()] == [theirs.key]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda peers: peers.get("nobody"), "There is no peer 'nobody'"),
        (lambda peers: peers.allow("nobody"), "There is no peer"),
        (lambda peers: peers.forget(""), "There is no peer ''"),
        (lambda peers: peers.ask("portal"), "not the address of a portal"),
        (lambda peers: peers.ask("http://a.test/", key="xy"), "64 hexadecimal digits"),
        (lambda peers: peers.use(loss=2.0), "The loss cannot be 2"),
        (lambda peers: peers.use(error=float("nan")), "The error cannot be nan"),
        (lambda peers: peers.use(), "has not been trained"),
        (lambda peers: peers.serve(host="no such host"), "cannot be used"),
    ],
    ids=range(9),
)
def test_bad_calls_raise_one_sentence(tmp_path: Path, call: object, sentence: str) -> None:
    create_portal(tmp_path / "portal")
    assert callable(call)
    with pytest.raises(ThresherError, match=sentence):
        call(Portal.open(tmp_path / "portal").peers)

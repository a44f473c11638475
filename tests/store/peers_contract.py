"""What every store must do for other portals."""

from msgspec.structs import replace

from thresher.store.peer_records import NeighbourRow, PeerMeasureRow, PeerModelRow, PeerRow, PeerState
from thresher.store.protocol import Store

ANN, BOB = "aa" * 32, "bb" * 32
PEER = PeerRow(key=ANN, name="ann", address="http://ann.test/", state=PeerState.ASKED, since=1.0)
MODEL = PeerModelRow(
    peer=ANN,
    topic="Boats",
    version="v1",
    own=None,
    at=2.0,
    accuracy=None,
    low=None,
    pages=0,
    centre=0.0,
    unit=1.0,
    used=False,
    model=b"{}",
)
MEASURE = PeerMeasureRow(measurer=BOB, peer=ANN, topic="Boats", version="v1", accuracy=0.9, pages=12, at=3.0)


class PeersContract:
    def test_peers_are_kept_by_their_keys(self, store: Store) -> None:
        assert store.peers.get(ANN) is None
        store.peers.put(PEER)
        store.peers.put(replace(PEER, key=BOB, name="Bob", state=PeerState.BLOCKED))
        allowed = replace(PEER, state=PeerState.ALLOWED, since=5.0)
        store.peers.put(allowed)
        assert store.peers.get(ANN) == allowed
        assert [row.name for row in store.peers.all()] == ["Bob", "ann"]
        store.peers.seen(ANN, 9.0)
        store.peers.seen(ANN, 8.0)
        store.peers.seen("cc" * 32, 8.0)
        assert [row.seen for row in store.peers.all()] == [0.0, 9.0]

    def test_forgetting_a_peer_leaves_nothing_of_it(self, store: Store) -> None:
        other = replace(MODEL, peer=BOB)
        for row in (PEER, replace(PEER, key=BOB, name="bob")):
            store.peers.put(row)
        store.peers.put_models(ANN, [MODEL])
        store.peers.put_models(BOB, [other])
        store.peers.put_measures(BOB, [MEASURE])
        store.peers.put_measures(ANN, [replace(MEASURE, measurer=ANN, peer=BOB)])
        store.peers.set_neighbours([NeighbourRow(ANN, "http://ann.test/", 1.0, "s")])
        assert store.peers.forget(ANN, keep=True)
        assert store.peers.get(ANN) == PEER
        assert store.peers.models() == [other]
        assert store.peers.forget(ANN)
        assert not store.peers.forget(ANN)
        assert store.peers.models() == [other]
        assert store.peers.measures() == []
        assert store.peers.neighbours() == []

    def test_a_newer_model_replaces_the_older(self, store: Store) -> None:
        store.peers.put_models(ANN, [MODEL, replace(MODEL, topic="Cars", used=True)])
        newer = replace(
            MODEL, version="v2", own="Ships", accuracy=0.75, low=0.6, pages=9, unit=2.5, used=True, model=b'{"a":1}'
        )
        store.peers.put_models(ANN, [newer])
        assert store.peers.models() == [newer]
        store.peers.put_models(BOB, [replace(MODEL, peer=BOB)])
        assert store.peers.models(used=True) == [newer]
        assert len(store.peers.models()) == 2

    def test_measures_and_neighbours_are_replaced_as_a_whole(self, store: Store) -> None:
        store.peers.put_measures(BOB, [MEASURE, replace(MEASURE, topic="Cars")])
        store.peers.put_measures(BOB, [replace(MEASURE, accuracy=0.8)])
        assert store.peers.measures() == [replace(MEASURE, accuracy=0.8)]
        first, second = NeighbourRow(BOB, "http://b.test/", 2.0, "t"), NeighbourRow(ANN, "http://a.test/", 1.0, "s")
        store.peers.set_neighbours([first, second])
        assert store.peers.neighbours() == [second, first]
        store.peers.set_neighbours([first])
        assert store.peers.neighbours() == [first]

    def test_a_nonce_is_good_once_until_it_is_forgotten(self, store: Store) -> None:
        assert store.peers.take_nonce(ANN, "n", 100.0, 0.0)
        assert not store.peers.take_nonce(ANN, "n", 101.0, 0.0)
        assert store.peers.take_nonce(BOB, "n", 101.0, 0.0)
        assert store.peers.take_nonce(ANN, "m", 102.0, 0.0)
        assert store.peers.take_nonce(ANN, "n", 900.0, 500.0)

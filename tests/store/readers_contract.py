"""What every store must do for readers: count tries, keep clicks, remember what topics were called."""

from msgspec.structs import replace

from thresher.store.clicks import ClickRow
from thresher.store.protocol import Store


class ReadersContract:
    def test_tries_are_counted_up_to_a_limit(self, store: Store) -> None:
        tries = store.tries
        assert [tries.take("forms", b"a", at, at - 60.0, 2) for at in (100.0, 110.0, 120.0)] == [None, None, 100.0]
        assert tries.take("forms", b"b", 120.0, 60.0, 2) is None
        assert tries.take("other", b"a", 120.0, 60.0, 2) is None
        assert tries.take("forms", b"a", 161.0, 101.0, 2) is None
        assert tries.counted("forms", b"a", 161.0) == (3, 161.0)
        assert tries.counted("forms", b"a", 86_505.0) == (2, 161.0)
        assert tries.counted("forms", b"c", 161.0) == (0, 0.0)

    def test_tries_are_forgotten(self, store: Store) -> None:
        for at in (1.0, 2.0):
            store.tries.take("guesses", b"a", at, 0.0, 100)
        store.tries.take("guesses", b"b", 3.0, 0.0, 100)
        store.tries.forget("guesses", b"a")
        assert store.tries.counted("guesses", b"a", 3.0) == (0, 0.0)
        assert store.tries.counted("guesses", b"b", 3.0) == (1, 3.0)

    def test_clicks_are_kept_and_how_long_a_reader_was_away(self, store: Store) -> None:
        click = ClickRow(at=1.0, query="red boats", page=-7, place=3, reader="maria")
        stranger = ClickRow(at=2.0, query="", page=8, place=1, seconds=4.0)
        assert [store.clicks.add(click), store.clicks.add(stranger)] == [1, 2]
        back = replace(click, seconds=9.0)
        assert not store.clicks.returned(replace(back, reader="ben"))
        assert not store.clicks.returned(replace(back, page=9))
        assert store.clicks.returned(back)
        assert not store.clicks.returned(replace(back, seconds=10.0))
        both = [replace(click, id=1, seconds=9.0), replace(stranger, id=2)]
        assert store.clicks.all() == both
        assert store.clicks.all(reader="maria") == store.clicks.all("red boats") == both[:1]
        assert store.clicks.all("", "") == both[1:]

    def test_topics_that_moved_are_remembered_and_colours_follow(self, store: Store) -> None:
        history = store.topic_history
        history.paint({"Tea": 1, "Boats": 2})
        history.paint({"Tea": 5, "Cats": 3})
        assert history.colours() == {"Tea": 1, "Boats": 2, "Cats": 3}
        history.move([("Tea", "Drinks"), ("Tea/Green", "Drinks/Green")], 1.0)
        assert history.moves() == {"Tea": "Drinks", "Tea/Green": "Drinks/Green"}
        assert history.colours() == {"Drinks": 1, "Boats": 2, "Cats": 3}
        history.move([("Drinks", "Tea")], 2.0)
        assert history.moves() == {"Drinks": "Tea", "Tea/Green": "Drinks/Green"}
        history.move([("Boats", "Tea")], 3.0)
        assert history.colours() == {"Tea": 1, "Cats": 3}
        history.forget("Boats")
        assert history.moves() == {"Drinks": "Tea", "Tea/Green": "Drinks/Green"}
        assert history.colours() == {"Tea": 1, "Cats": 3}

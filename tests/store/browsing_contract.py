"""What every store must do for browsing sessions and the keys of browsers."""

from msgspec.structs import replace

from thresher.store.browsing import BrowsedPage, BrowserKey, BrowsingRow
from thresher.store.portal_records import Role
from thresher.store.protocol import Store

PAGES = [
    BrowsedPage(url="http://a.test/", title="A caf\udce9", at=10.0),
    BrowsedPage(url="http://b.test/", useful=True, terms={"boat": 2}),
]
ROW = BrowsingRow(source="firefox", label="work", taken=20.0, pages=PAGES, links=[(1, 0), (0, 1), (0, 1)])


class BrowsingContract:
    def test_sessions_are_kept_replaced_and_dropped(self, store: Store) -> None:
        assert store.browsing.all() == []
        one, two = store.browsing.keep([ROW, replace(ROW, label="home", links=[])])
        first, second = store.browsing.all()
        assert (first.id, second.id, first.links, second.links) == (one, two, [(0, 1), (1, 0)], [])
        assert [page.title for page in first.pages] == ["A caf?", ""]
        assert first.pages[1] == PAGES[1]
        assert (first.useful, first.span) == (1, (10.0, 10.0))
        shorter = replace(second, pages=second.pages[1:])
        assert store.browsing.keep([shorter], drop=[one, 99]) == [two]
        assert store.browsing.all() == [shorter]
        assert shorter.span is None
        store.browsing.keep([], [two])
        assert store.browsing.all() == []

    def test_keys_of_browsers_belong_to_accounts(self, store: Store) -> None:
        maria = store.users.add("maria", Role.REVIEWER, "x", 1.0)
        ben = store.users.add("ben", Role.READER, "x", 1.0)
        assert maria is not None
        assert ben is not None
        key = BrowserKey(digest=b"one", user=maria.id, name="laptop", made=2.0)
        one = store.browser_keys.add(key)
        two = store.browser_keys.add(replace(key, digest=b"two"))
        store.browser_keys.add(replace(key, digest=b"three", user=ben.id))
        assert store.browser_keys.use(b"one", 3.0) == maria
        assert store.browser_keys.use(b"none", 3.0) is None
        assert [found.used for found in store.browser_keys.of(maria.id)] == [3.0, None]
        store.browser_keys.remove(ben.id, one)
        store.browser_keys.remove(maria.id, two)
        assert store.browser_keys.of(maria.id) == [replace(key, id=one, used=3.0)]
        assert store.users.remove(maria.id)
        assert store.browser_keys.use(b"one", 4.0) is None
        again = store.users.add("eve", Role.ADMIN, "x", 5.0)
        assert again is not None
        assert store.browser_keys.of(again.id) == []
        assert store.browser_keys.use(b"three", 6.0) == ben

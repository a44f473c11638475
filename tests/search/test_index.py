"""The index follows the repository: nothing twice, nothing lost, and nothing indexed again without need."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.search.portals import add, judged, page
from tests.store.rows import visit
from thresher.reasons import Reason
from thresher.search import column_file, columns, text_index
from thresher.search.indexer import Caught, catch_up, index_lock, rebuild
from thresher.search.searcher import Searcher
from thresher.search.text_index import FOLDER, TextIndex
from thresher.store.page_records import PageScores
from thresher.store.protocol import Store
from thresher.store.repository import open_store
from thresher.web.urls import url_id

ONE, TWO, THREE = "http://a.test/1", "http://a.test/2", "http://b.test/3"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path, create=True)
    yield store
    store.close()


def caught(portal: Path, store: Store) -> Caught:
    with index_lock(portal) as mine:
        assert mine
        return catch_up(portal, store)


def ids(portal: Path) -> list[int]:
    state = text_index.state_of(portal)
    assert state is not None
    return text_index.all_ids(TextIndex(portal / FOLDER / state.folder).searcher())


def urls(portal: Path, query: str) -> list[str]:
    return answers(portal, [query])[0]


def answers(portal: Path, queries: list[str]) -> list[list[str]]:
    with Searcher(portal) as searcher:
        return [sorted(result.url for result in searcher.search(query, fold=False).results) for query in queries]


def test_pages_are_indexed_once(tmp_path: Path, store: Store) -> None:
    add(store, page(ONE, "Red boats"), page(TWO, "Blue boats"))
    first = caught(tmp_path, store)
    assert (first.written, first.built, first.mark) == (2, True, store.log.last())
    assert caught(tmp_path, store).written == 0
    add(store, page(THREE, "Green boats"))
    assert caught(tmp_path, store).written == 1
    assert ids(tmp_path) == sorted(map(url_id, (ONE, TWO, THREE)))


def test_a_page_that_was_written_anew_is_found_by_its_new_words_alone(tmp_path: Path, store: Store) -> None:
    add(store, page(ONE, text="red boats"))
    assert urls(tmp_path, "red") == [ONE]
    add(store, page(ONE, text="blue boats", at=1_700_000_900.0))
    assert urls(tmp_path, "red") == []
    assert urls(tmp_path, "blue") == [ONE]
    assert len(ids(tmp_path)) == 1


def test_judgements_and_scores_are_followed_and_index_nothing_again(tmp_path: Path, store: Store) -> None:
    add(store, page(ONE, text="red boats"), page(TWO, text="red hats"))
    caught(tmp_path, store)
    add(store, judgements={url_id(ONE): judged(None), url_id(TWO): judged("Hats", 2.0)})
    store.scores.keep([PageScores(url_id(TWO), 0.1, 0.9, 0.2)])
    assert caught(tmp_path, store).written == 0
    with Searcher(tmp_path) as searcher:
        (found,) = searcher.search("red", rank="authority").results
        assert (found.url, found.topic, found.confidence, found.score) == (TWO, "Hats", 2.0, 1.0)
        assert [result.url for result in searcher.search("red topic:none").results] == [ONE]


def test_pages_that_are_gone_are_not_found_until_they_are_back(tmp_path: Path, store: Store) -> None:
    add(store, page(ONE, text="red boats"), page(TWO, text="red hats"))
    assert urls(tmp_path, "red") == [ONE, TWO]
    add(store, visits=[visit(ONE, outcome="failed", reason=Reason.GONE)])
    assert caught(tmp_path, store).removed == 1
    assert urls(tmp_path, "red") == urls(tmp_path, "") == [TWO]
    add(store, visits=[visit(ONE, outcome="unchanged", at=9.0)])
    assert urls(tmp_path, "red") == [ONE, TWO]


def test_a_page_that_asks_not_to_be_indexed_is_not_found(tmp_path: Path, store: Store) -> None:
    add(store, page(ONE, text="red boats", robots=("noindex",)), page(TWO, text="red hats"))
    assert urls(tmp_path, "red topic:any") == urls(tmp_path, "topic:any") == [TWO]
    assert ids(tmp_path) == [url_id(TWO)]


def test_a_page_is_found_by_the_texts_of_links_to_it_as_long_as_they_are_there(tmp_path: Path, store: Store) -> None:
    add(store, page(ONE, text="boats"))
    assert urls(tmp_path, "catamaran") == []
    add(store, page(TWO, text="hats", links=[(ONE, "A catamaran")]))
    assert urls(tmp_path, "catamaran") == [ONE]
    add(store, page(TWO, text="caps", at=1_700_000_900.0, links=[(THREE, "A catamaran")]))
    assert urls(tmp_path, "catamaran") == []


def test_the_index_can_be_thrown_away_and_an_older_copy_of_the_repository_put_back(
    tmp_path: Path, store: Store
) -> None:
    add(store, page(ONE, text="red boats"))
    caught(tmp_path, store)
    folder = text_index.state_of(tmp_path)
    assert folder is not None
    (tmp_path / FOLDER / folder.folder / "meta.json").write_text("{")
    (tmp_path / FOLDER / column_file.FILE).write_bytes(b"no archive")
    assert urls(tmp_path, "red") == [ONE]
    with index_lock(tmp_path) as mine:
        assert mine
        writer = TextIndex(tmp_path / FOLDER / text_index.state_of(tmp_path).folder).writer()  # type: ignore[union-attr]
        writer.commit(10**9)
        writer.close()
    assert caught(tmp_path, store).built
    assert urls(tmp_path, "red") == [ONE]


def test_one_process_at_a_time_indexes_and_others_search_what_is_there(tmp_path: Path, store: Store) -> None:
    add(store, page(ONE, text="red boats"))
    caught(tmp_path, store)
    add(store, page(TWO, text="red hats"))
    with index_lock(tmp_path) as mine:
        assert mine
        with index_lock(tmp_path) as again:
            assert not again
        assert urls(tmp_path, "red") == [ONE]
    assert urls(tmp_path, "red") == [ONE, TWO]


def test_columns_are_read_back_as_they_were_saved(tmp_path: Path, store: Store) -> None:
    add(store, page(ONE, text="red boats"), page(TWO, topic=None))
    caught(tmp_path, store)
    known = columns.follow(columns.Columns(), store)
    column_file.save(tmp_path, known)
    again = column_file.load(tmp_path)
    assert columns.follow(again, store) is again
    assert again.names == known.names
    for name in columns.TYPES:
        assert again[name].tolist() == pytest.approx(known[name].tolist(), nan_ok=True)


actions = st.lists(
    st.tuples(
        st.sampled_from(["write", "gone", "judge", "noindex"]),
        st.sampled_from([ONE, TWO, THREE]),
        st.sampled_from(["red boats", "blue hats", "red hats"]),
        st.sampled_from([ONE, TWO, THREE]),
        st.booleans(),
    ),
    max_size=8,
)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(actions=actions)
def test_catching_up_and_building_anew_give_the_same_answers(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, str, str, str, bool]]
) -> None:
    portal = tmp_path_factory.mktemp("same")
    store = open_store(portal, create=True)
    for time, (kind, url, text, target, catches) in enumerate(actions):
        at = 1_700_000_000.0 + time
        if kind == "gone":
            add(store, visits=[visit(url, outcome="failed", reason=Reason.GONE, at=at)])
        elif kind == "judge":
            add(store, judgements={url_id(url): judged(None if catches else "Cats")})
        else:
            robots = ("noindex",) if kind == "noindex" else ()
            add(store, page(url, text=text, at=at, links=[(target, text)], robots=robots))
        if catches:
            caught(portal, store)
    queries = ["", "red", "hats", "blue OR red", "topic:any", "-red topic:any", f"linksto:{ONE}"]
    before = answers(portal, queries)
    with index_lock(portal) as mine:
        assert mine
        rebuild(portal, store)
    assert answers(portal, queries) == before
    assert len(ids(portal)) == len(set(ids(portal)))
    store.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from thresher.search import text_index
from thresher.search.indexer import catch_up, index_lock
from thresher.store.repository import open_store
import thresher.search.indexer as indexer

indexer.COMMIT_PAGES, indexer._READ_AT_ONCE = 3, 1
left = int(sys.argv[2])
plain = text_index.IndexWriter.put

def put(self, *arguments):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    plain(self, *arguments)

text_index.IndexWriter.put = put
portal = Path(sys.argv[1])
with index_lock(portal) as mine:
    catch_up(portal, open_store(portal, read_only=True))
"""


@pytest.mark.parametrize("puts", [1, 4, 8])
def test_a_kill_loses_nothing_and_indexes_nothing_twice(tmp_path: Path, store: Store, puts: int) -> None:
    add(store, page("http://a.test/first", text="first"))
    caught(tmp_path, store)
    wanted = [f"http://a.test/{number}" for number in range(10)]
    for url in wanted:
        add(store, page(url, text="red boats"))
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), str(puts)], env=os.environ, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert urls(tmp_path, "red") == wanted
    assert ids(tmp_path) == sorted(map(url_id, ["http://a.test/first", *wanted]))

"""Pages of a running crawl can be found while it runs."""

import time
from contextlib import closing
from pathlib import Path

from tests.search.portals import add, page, portal_of
from thresher.doctor import examine
from thresher.runs.indexing import CrawlIndexing
from thresher.search import text_index
from thresher.search.checking import check_index
from thresher.search.text_index import FOLDER, TextIndex
from thresher.store.repository import open_store


def indexed(portal: Path) -> int:
    state = text_index.state_of(portal)
    return len(text_index.all_ids(TextIndex(portal / FOLDER / state.folder).searcher())) if state else 0


def waited(portal: Path, number: int) -> bool:
    """Wait until so many pages are indexed; False where that never happens."""
    for _ in range(600):
        if indexed(portal) == number:
            return True
        time.sleep(0.05)
    return False


def test_pages_are_indexed_while_a_crawl_runs_and_the_last_at_its_end(tmp_path: Path) -> None:
    portal_of(tmp_path, page("http://a.test/1", "boats"))
    with closing(open_store(tmp_path)) as store:
        with CrawlIndexing(tmp_path, 0.05):
            assert waited(tmp_path, 1)
            add(store, page("http://a.test/2", "boats"))
            assert waited(tmp_path, 2)
        with CrawlIndexing(tmp_path, 60.0):
            add(store, page("http://a.test/3", "boats"))
        assert indexed(tmp_path) == 3
        with CrawlIndexing(tmp_path, 0.0):
            add(store, page("http://a.test/4", "boats"))
        assert indexed(tmp_path) == 3


def test_trouble_with_the_index_holds_up_no_crawl(tmp_path: Path) -> None:
    portal_of(tmp_path, page("http://a.test/1", "boats"))
    (tmp_path / FOLDER).write_text("not a folder")
    tries: list[int] = []

    class Counted(CrawlIndexing):
        def _catch_up(self) -> None:
            tries.append(1)
            super()._catch_up()

    with Counted(tmp_path, 0.01):
        for _ in range(600):
            if len(tries) > 1:
                break
            time.sleep(0.05)
    # It tried again after its first failure, and once more at the end.
    assert len(tries) > 2
    (tmp_path / FOLDER).unlink()
    with CrawlIndexing(tmp_path, 60.0):
        pass
    assert indexed(tmp_path) == 1


def test_the_doctor_compares_the_index_with_the_repository(tmp_path: Path) -> None:
    portal_of(tmp_path, page("http://a.test/1", "boats"), page("http://a.test/2", "boats"))

    def told() -> tuple[str, str]:
        return next((check.state, check.detail) for check in examine(tmp_path) if check.name == "index")

    assert told() == ("ok", "none yet; the first search builds it")
    with CrawlIndexing(tmp_path, 60.0):
        pass
    assert told() == ("ok", "2 pages, matches the repository")
    with closing(open_store(tmp_path)) as store:
        add(store, page("http://a.test/3", "boats"))
        found = check_index(tmp_path, store)
        assert found is not None
        assert found.is_sound
        assert found.behind > 0
        state = text_index.state_of(tmp_path)
        assert state is not None
        writer = TextIndex(tmp_path / FOLDER / state.folder).writer()
        writer.commit(store.log.last())
        writer.close()
    assert told() == ("fail", "1 pages missing, 0 too many, 0 indexed twice")
    (tmp_path / FOLDER / state.folder / "meta.json").write_text("{")
    assert told()[0] == "fail"

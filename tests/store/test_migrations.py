"""Migrations: a new portal, an older one, a newer one, and one that is none."""

import os
import zlib
from pathlib import Path

import apsw
import pytest

from tests.store.processes import kill, line, python
from tests.store.rows import URL, document
from tests.store.test_locks import HOLD_CRAWL
from thresher.errors import PortalBusy, PortalError
from thresher.store.locks import CrawlLock, holder
from thresher.store.records import Batch
from thresher.store.repository import open_store
from thresher.store.request_records import Reply, RequestResult, UnknownCommand
from thresher.store.sqlite.connection import PAGE_BYTES
from thresher.store.sqlite.migrations import Migration, migrate, packaged
from thresher.store.sqlite.ownership import APPLICATION

LATEST = packaged()[-1].number
NEXT = Migration(LATEST + 1, "CREATE TABLE newer (id INTEGER); INSERT INTO newer VALUES (7);")
COPY = f"portal.db.before-{LATEST + 1}"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    store = open_store(tmp_path, create=True)
    crawl = store.crawls.start("crawl", "default", {}, at=1.0).id
    store.commit(Batch(crawl=crawl, at=1.0, documents=[document()]))
    store.close()
    return tmp_path / "portal.db"


def test_packaged_migrations_are_numbered_without_gaps() -> None:
    assert [step.number for step in packaged()] == list(range(1, LATEST + 1))


def test_a_new_portal_has_the_newest_format_and_no_copy(database: Path) -> None:
    connection = apsw.Connection(str(database))
    assert connection.pragma("user_version") == LATEST
    assert connection.pragma("application_id") == APPLICATION
    assert connection.pragma("page_size") == PAGE_BYTES
    assert connection.pragma("journal_mode") == "wal"
    assert not list(database.parent.glob("portal.db.before-*"))


def test_an_older_portal_is_brought_up_to_date_and_a_copy_kept(database: Path) -> None:
    connection = apsw.Connection(str(database))
    migrate(connection, database, [*packaged(), NEXT])
    assert connection.pragma("user_version") == NEXT.number
    assert connection.execute("SELECT id FROM newer").get == 7
    copy = apsw.Connection(str(database.with_name(COPY)), flags=apsw.SQLITE_OPEN_READONLY)
    assert copy.pragma("integrity_check") == "ok"
    assert copy.pragma("user_version") == LATEST
    assert copy.execute("SELECT url FROM documents").get == URL
    copy.close()
    assert sorted(path.name for path in database.parent.glob(f"{COPY}*")) == [COPY]


def test_the_copy_holds_what_is_still_in_the_log(database: Path) -> None:
    connection = apsw.Connection(str(database))
    connection.wal_autocheckpoint(0)
    connection.execute("INSERT INTO start_urls (url, at) VALUES ('http://late.test/', 1)")
    migrate(connection, database, [*packaged(), NEXT])
    copy = apsw.Connection(str(database.with_name(COPY)))
    assert copy.execute("SELECT url FROM start_urls").get == "http://late.test/"


def test_a_migration_that_fails_changes_nothing(database: Path) -> None:
    connection = apsw.Connection(str(database))
    broken = Migration(NEXT.number, NEXT.sql + " SELECT nonsense FROM nowhere;")
    with pytest.raises(apsw.SQLError):
        migrate(connection, database, [*packaged(), broken])
    assert connection.pragma("user_version") == LATEST
    connection.close()
    store = open_store(database.parent)
    assert list(store.documents.urls()) == [URL]
    store.close()


def test_a_half_written_copy_is_written_again(database: Path) -> None:
    database.with_name(COPY + ".part").write_bytes(b"half")
    migrate(apsw.Connection(str(database)), database, [*packaged(), NEXT])
    assert apsw.Connection(str(database.with_name(COPY))).pragma("user_version") == LATEST


def test_nothing_happens_twice(database: Path) -> None:
    connection = apsw.Connection(str(database))
    migrate(connection, database, [*packaged(), NEXT])
    database.with_name(COPY).unlink()
    migrate(connection, database, [*packaged(), NEXT])
    assert not database.with_name(COPY).exists()


def test_a_portal_under_crawl_is_not_migrated(database: Path) -> None:
    connection = apsw.Connection(str(database))
    other = python(HOLD_CRAWL, database.parent)
    try:
        assert line(other) == "held"
        with pytest.raises(PortalBusy):
            migrate(connection, database, [*packaged(), NEXT])
    finally:
        kill(other)
    assert connection.pragma("user_version") == LATEST
    with CrawlLock(database.parent):
        migrate(connection, database, [*packaged(), NEXT])
    assert connection.pragma("user_version") == NEXT.number


@pytest.mark.parametrize("read_only", [False, True])
def test_a_newer_portal_is_refused_in_one_sentence(database: Path, read_only: bool) -> None:
    apsw.Connection(str(database)).pragma("user_version", LATEST + 2)
    with pytest.raises(PortalError) as refused:
        open_store(database.parent, read_only=read_only)
    assert refused.value.sentence == (
        f"This portal was created by a newer Thresher (format {LATEST + 2}, this program knows {LATEST})."
    )
    assert refused.value.remedy.startswith("Upgrade Thresher")


def test_an_older_portal_is_not_opened_for_reading_only(database: Path) -> None:
    apsw.Connection(str(database)).pragma("user_version", 0)
    with pytest.raises(PortalError, match="older format"):
        open_store(database.parent, read_only=True)


def test_a_creation_that_was_cut_short_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / "portal.db.new").write_bytes(b"half")
    store = open_store(tmp_path, create=True)
    assert store.log.last() == 0
    store.close()
    assert not (tmp_path / "portal.db.new").exists()


def test_a_new_portal_bears_our_mark_before_its_log_is_emptied(tmp_path: Path) -> None:
    store = open_store(tmp_path, create=True)
    header = (tmp_path / "portal.db").read_bytes()[:100]
    store.close()
    assert int.from_bytes(header[68:72], "big") == APPLICATION


def test_a_mark_that_is_still_in_the_log_counts(database: Path) -> None:
    connection = apsw.Connection(str(database))
    connection.pragma("application_id", 0)
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    connection.wal_autocheckpoint(0)
    connection.pragma("application_id", APPLICATION)
    open_store(database.parent, read_only=True).close()
    connection.close()


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("version", [0, 3])
@pytest.mark.parametrize("mark", [0, 5])
def test_a_database_of_another_program_is_left_as_it_is(
    tmp_path: Path, read_only: bool, version: int, mark: int
) -> None:
    connection = apsw.Connection(str(tmp_path / "portal.db"))
    connection.execute("CREATE TABLE accounts (name TEXT); INSERT INTO accounts VALUES ('mine')")
    connection.pragma("user_version", version)
    connection.pragma("application_id", mark)
    connection.close()
    before = (tmp_path / "portal.db").read_bytes()
    for create in (False, True):
        with pytest.raises(PortalError, match="another program"):
            open_store(tmp_path, read_only=read_only, create=create)
    assert (tmp_path / "portal.db").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["portal.db"]


@pytest.mark.parametrize("read_only", [False, True])
def test_an_empty_file_is_no_portal(tmp_path: Path, read_only: bool) -> None:
    (tmp_path / "portal.db").touch()
    with pytest.raises(PortalError, match="damaged or not a database"):
        open_store(tmp_path, read_only=read_only)
    assert (tmp_path / "portal.db").stat().st_size == 0


@pytest.mark.parametrize("read_only", [False, True])
def test_a_pipe_is_not_waited_for(tmp_path: Path, read_only: bool) -> None:
    os.mkfifo(tmp_path / "portal.db")
    with pytest.raises(PortalError, match="is not a file"):
        open_store(tmp_path, read_only=read_only)


def test_pipes_in_the_place_of_locks_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "crawl.lock")
    assert holder(tmp_path) is None


@pytest.mark.parametrize("read_only", [False, True])
def test_a_name_that_leads_nowhere_is_no_invitation(tmp_path: Path, read_only: bool) -> None:
    (tmp_path / "portal.db").symlink_to(tmp_path / "elsewhere.db")
    with pytest.raises(PortalError, match="cannot be opened"):
        open_store(tmp_path, read_only=read_only)
    assert not (tmp_path / "elsewhere.db").exists()


@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_that_is_no_database(tmp_path: Path, read_only: bool) -> None:
    (tmp_path / "portal.db").write_bytes(b"this is no database at all" * 1000)
    with pytest.raises(PortalError, match="damaged or not a database"):
        open_store(tmp_path, read_only=read_only)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_that_cannot_be_opened(tmp_path: Path, read_only: bool) -> None:
    (tmp_path / "portal.db").mkdir()
    with pytest.raises(PortalError, match="is not a file"):
        open_store(tmp_path, read_only=read_only)


def test_a_database_of_another_program(database: Path) -> None:
    apsw.Connection(str(database)).pragma("application_id", 5)
    with pytest.raises(PortalError, match="another program"):
        open_store(database.parent)


def test_no_portal(tmp_path: Path) -> None:
    with pytest.raises(PortalError, match="no portal in") as refused:
        open_store(tmp_path)
    assert "thresher new" in refused.value.remedy
    with pytest.raises(PortalError):
        open_store(tmp_path / "nowhere", create=True, read_only=True)
    assert not list(tmp_path.iterdir())


def test_pages_of_a_portal_from_before_duplicates_are_found_by_their_text(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "portal.db"))
    for step in packaged()[:2]:
        connection.execute(step.sql)
    connection.execute(
        "INSERT INTO documents (id, seq, crawl, url, host, ip, port, mime, encoding, status, size, at, last_modified,"
        " expires, depth, language, digest) VALUES (7, 1, 1, ?, 'a', '', 80, '', '', 200, 0, 0, '', '', 0, '', x'64')",
        (URL,),
    )
    connection.pragma("application_id", APPLICATION)
    connection.pragma("user_version", 2)
    connection.close()
    store = open_store(tmp_path)
    assert store.duplicates.same_text(b"d") == [(7, URL)]
    assert store.duplicates.alike([0], 3) == {}
    store.close()


def test_what_the_crawl_of_an_older_portal_did_not_follow_stays_unfollowed(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "portal.db"))
    for step in packaged()[:7]:
        connection.execute(step.sql)
    for crawl, kind in ((1, "learn"), (2, "refresh")):
        connection.execute(
            "INSERT INTO crawls VALUES (?, 1, ?, '', '{}', NULL, NULL, 0, 0, 'finished', '{}')", (crawl, kind)
        )
    # Of the links 11 and 12 the crawl took and refused one, 13 is a feed it took as a list; it offered no others.
    for id_, state, reason, lists in ((11, 1, None, 0), (12, 5, "nofollow", 0), (13, 0, None, 1)):
        connection.execute(
            "INSERT INTO urls (crawl, id, state, ordinal, queue, priority, depth, hops, tries, not_before, url, anchor,"
            " reason, lists) VALUES (1, ?, ?, 0, 0, 0.0, 0, 0, 0, 0.0, ?, '', ?, ?)",
            (id_, state, f"http://a.test/{id_}", reason, lists),
        )
    for page, crawl in ((7, 1), (8, 2)):
        connection.execute(
            "INSERT INTO documents (id, seq, crawl, url, host, ip, port, mime, encoding, status, size, at,"
            " last_modified, expires, depth, language, digest)"
            " VALUES (?, ?, ?, ?, 'a', '', 80, '', '', 200, 0, 0, '', '', 0, '', x'')",
            (page, page, crawl, f"{URL}{page}"),
        )
        connection.execute("INSERT INTO archive (document, title, body) VALUES (?, '', ?)", (page, zlib.compress(b"")))
        connection.execute("INSERT INTO document_terms VALUES (?, 0, '{}')", (page,))
        rels = {11: "alternate", 12: "ugc", 13: "alternate", 14: "alternate", 15: "next"}
        for place, (target, rel) in enumerate(rels.items()):
            address = None if crawl == 1 and target < 14 else f"http://a.test/{target}"
            connection.execute("INSERT INTO links VALUES (?, ?, ?, ?, '', ?)", (page, place, target, address, rel))
    connection.pragma("application_id", APPLICATION)
    connection.pragma("user_version", 7)
    connection.close()
    store = open_store(tmp_path)
    found = [store.documents.document(page) for page in (7, 8)]
    store.close()
    for page in found:
        assert page is not None
        assert (page.robots, page.layout) == ((), b"")
        assert [(link.rel, link.tag) for link in page.links] == [
            ("alternate", "a"),
            ("ugc nofollow", "a"),
            ("alternate", "feed"),
            ("alternate", "feed"),
            ("next", "a"),
        ]


def test_requests_from_before_replies_are_done_or_open(tmp_path: Path) -> None:
    path = tmp_path / "portal.db"
    connection = apsw.Connection(str(path))
    for step in packaged()[:9]:
        connection.execute(step.sql)
    connection.execute("INSERT INTO requests (at, kind, detail, done) VALUES (1, 'pause', '{}', 3)")
    connection.execute("INSERT INTO requests (at, kind, detail) VALUES (2, 'dance', '{\"steps\": 3}')")
    connection.execute("INSERT INTO preferences VALUES ('colour', '1')")
    connection.pragma("application_id", APPLICATION)
    connection.pragma("user_version", 9)
    connection.close()
    store = open_store(tmp_path)
    assert store.requests.replies([1, 2]) == {1: Reply(RequestResult.DONE)}
    assert [request.command for request in store.requests.open()] == [UnknownCommand(kind="dance", detail={"steps": 3})]
    store.close()
    tables = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    now = {name for (name,) in apsw.Connection(str(path)).execute(tables)}
    copy = apsw.Connection(str(path.with_name("portal.db.before-10")))
    before = {name for (name,) in copy.execute(tables)}
    assert before - now == {"topics", "topic_features", "mime_types", "preferences", "stop_words"}
    assert copy.execute("SELECT value FROM preferences").get == "1"

"""Who may use a portal: its owner, or its group where the portal is shared; never others."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.archive.samples import page
from thresher.cli.main import call
from thresher.doctor import FAIL, examine
from thresher.file_rights import follow, make_private, share
from thresher.learn.model_file import save
from thresher.portals import create_portal, load_topics, save_topics
from thresher.store.archive.warc_archive import WarcArchive
from thresher.store.locks import CrawlLock
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy


@pytest.fixture(params=[0o022, 0o002, 0o077, 0])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def fill(portal: Path) -> None:
    """Write every kind of file that a portal has."""
    save_topics(portal, load_topics(portal))
    archive = WarcArchive(portal / "archive", max_bytes=1000)
    archive.append([page(number) for number in range(3)])
    archive.close()
    save(portal / "models" / "a.zip", b"model")
    with CrawlLock(portal):
        store = open_store(portal)
        store.start_urls.add(["http://a.test/"], 0.0)
        seen = rights(portal)
        store.close()
    assert {"portal.db-wal", "portal.db-shm"} <= {name for name, _ in seen}
    assert all(mode & stat.S_IRWXO == 0 for _, mode in seen[1:])


def rights(portal: Path) -> list[tuple[str, int]]:
    return [(path.name, stat.S_IMODE(path.lstat().st_mode)) for path in (portal, *portal.rglob("*"))]


def test_a_portal_is_its_owners_alone(tmp_path: Path, umask: int) -> None:
    create_portal(tmp_path / "p", "http://a.test/", Taxonomy())
    fill(tmp_path / "p")
    found = rights(tmp_path / "p")
    assert len(found) > 10
    assert {mode for _, mode in found} == {0o700, 0o600}


def test_a_directory_that_is_there_keeps_its_rights_and_files_are_private(tmp_path: Path, umask: int) -> None:
    (tmp_path / "p").mkdir(mode=0o755)
    (tmp_path / "p").chmod(0o755)
    create_portal(tmp_path / "p", "http://a.test/", Taxonomy())
    fill(tmp_path / "p")
    assert rights(tmp_path / "p")[0][1] == 0o755
    assert {mode for _, mode in rights(tmp_path / "p")[1:]} == {0o700, 0o600}


def test_a_shared_portal_is_its_groups_with_all_that_is_made_later(tmp_path: Path, umask: int) -> None:
    create_portal(tmp_path / "p", "http://a.test/", Taxonomy())
    fill(tmp_path / "p")
    share(tmp_path / "p")
    save(tmp_path / "p" / "models" / "b.zip", b"model")
    fill(tmp_path / "p")
    assert {mode for _, mode in rights(tmp_path / "p")} == {0o2770, 0o660}


def test_links_out_of_a_portal_change_nothing_elsewhere(tmp_path: Path) -> None:
    make_private(tmp_path / "p")
    (tmp_path / "secret").write_text("x")
    (tmp_path / "secret").chmod(0o600)
    (tmp_path / "p" / "link").symlink_to(tmp_path / "secret")
    share(tmp_path / "p")
    follow(tmp_path / "p" / "link")
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_the_setting_takes_effect_with_the_next_crawl(tmp_path: Path) -> None:
    portal = tmp_path / "p"
    nobody = '[network.map]\n"*.test" = "127.0.0.1:9"\n[manners]\nmax_tries = 1\nbackoff = 0\n'
    create_portal(portal, "http://a.test/", settings=nobody)
    assert call(["crawl", str(portal), "--set", "engine.workers=0", "--json"]) == 0
    assert stat.S_IMODE(portal.stat().st_mode) == 0o700
    assert (
        call(["crawl", str(portal), "--set", "engine.workers=0", "--set", "store.shared=true", "--fresh", "--json"])
        == 0
    )
    assert {mode for _, mode in rights(portal)} == {0o2770, 0o660}


def test_the_doctor_says_that_an_archive_cannot_be_read(tmp_path: Path) -> None:
    create_portal(tmp_path / "p", "http://a.test/")
    (tmp_path / "p" / "archive").write_bytes(b"no folder")
    (check,) = [check for check in examine(tmp_path / "p") if check.state == FAIL]
    assert (check.name, "cannot be read" in check.detail) == ("archive", True)

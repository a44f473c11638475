"""The door to the repository: what is a portal, and how a further kind of repository is added."""

from pathlib import Path

import pytest

from thresher.doctor import examine
from thresher.errors import PortalError
from thresher.portals import create_portal, load_topics
from thresher.store import repository
from thresher.store.memory import MemoryStore
from thresher.store.protocol import Store
from thresher.store.repository import BACKENDS, backend_of, is_portal, open_store, require_portal

MARK = "elsewhere.txt"


class Elsewhere:
    """A kind of repository whose data lie on a server, as far as anybody can tell."""

    name = "elsewhere"

    def __init__(self) -> None:
        self.stores: dict[Path, MemoryStore] = {}
        self.opened: list[bool] = []

    def version(self) -> str:
        return "7.1"

    def holds(self, portal: Path) -> bool:
        return (portal / MARK).exists()

    def writable(self, portal: Path) -> bool:
        return portal in self.stores

    def open(self, portal: Path, *, read_only: bool = False) -> Store:
        self.opened.append(read_only)
        (portal / MARK).touch()
        return self.stores.setdefault(portal, MemoryStore())


def test_a_portal_is_a_directory_with_a_repository(tmp_path: Path) -> None:
    assert not is_portal(tmp_path)
    open_store(tmp_path / "a" / "b", create=True).close()
    assert is_portal(tmp_path / "a" / "b")
    assert not is_portal(tmp_path / "a")
    require_portal(tmp_path / "a" / "b")


def test_no_portal_is_made_by_looking(tmp_path: Path) -> None:
    for wanted in (tmp_path / "none", tmp_path):
        with pytest.raises(PortalError, match="no portal in"):
            open_store(wanted, read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_mistyped_name_is_put_right(tmp_path: Path) -> None:
    open_store(tmp_path / "sailing", create=True).close()
    (tmp_path / "sails").mkdir()
    with pytest.raises(PortalError) as refused:
        require_portal(tmp_path / "saling")
    assert f"Did you mean '{tmp_path / 'sailing'}'?" in refused.value.remedy


def test_a_further_kind_of_repository_is_one_factory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Elsewhere()
    embedded = tmp_path / "embedded"
    create_portal(embedded, "http://a.test/")
    monkeypatch.setattr(repository, "BACKENDS", (other, *BACKENDS))
    monkeypatch.setattr("thresher.doctor.BACKENDS", (other, *BACKENDS))
    portal = tmp_path / "portal"
    assert create_portal(portal, "http://b.test/").seeds == 1
    assert backend_of(portal) is other
    assert open_store(portal, read_only=True).start_urls.urls() == ["http://b.test/"]
    assert other.opened == [False, True]
    assert not load_topics(portal).root.children
    checks = {check.name: check for check in examine(portal)}
    assert checks["elsewhere"].detail == "7.1"
    assert checks["permissions"].state == "ok"
    assert open_store(embedded).start_urls.urls() == ["http://a.test/"]

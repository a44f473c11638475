"""`portal.topics`: a list of paths that can be edited."""

from pathlib import Path

import pytest

from thresher import Portal
from thresher.errors import InputError, UsageError


@pytest.fixture
def portal(tmp_path: Path) -> Portal:
    return Portal.create(tmp_path / "p", query="solar cells")


def test_topics_are_added_renamed_moved_merged_and_deleted(portal: Portal) -> None:
    first = portal.topics[0]
    portal.topics.add("Science/Physics", "https://a.test/1", "https://a.test/2", "https://a.test/1")
    portal.topics.add("Science/Optics", "https://a.test/3")
    assert portal.topics == [first, "Science", "Science/Physics", "Science/Optics"]
    portal.topics.rename("Science/Optics", "Light")
    portal.topics.move("Science/Light", "/")
    assert list(portal.topics)[-1] == "Light"
    portal.topics.merge("Light", "Science/Physics")
    assert {row["path"]: row["pages"] for row in portal.topics.rows()}["Science/Physics"] == 3
    portal.topics.delete("Science")
    assert portal.topics == [first]
    assert (len(portal.topics), portal.topics[:1], repr(portal.topics)) == (1, [first], repr([first]))
    assert Portal.open(portal.path).topics == [first]


def test_what_cannot_be_done_changes_nothing(portal: Portal, tmp_path: Path) -> None:
    before = list(portal.topics)
    with pytest.raises(InputError, match="neither an http"):
        portal.topics.add("Science", "not an address")
    with pytest.raises(InputError, match="needs a name"):
        portal.topics.add("/")
    for change in (
        lambda: portal.topics.rename("Nothing", "New"),
        lambda: portal.topics.move("Nothing", "/"),
        lambda: portal.topics.delete("Nothing"),
    ):
        with pytest.raises(InputError):
            change()
    with pytest.raises(UsageError, match="one file"):
        portal.topics.export(tmp_path / "topics.pdf")
    assert list(portal.topics) == before


def test_topics_go_to_a_file_and_back(portal: Portal, tmp_path: Path) -> None:
    portal.topics.add("Science/Physics", "https://a.test/1")
    portal.topics.export(tmp_path / "topics.toml")
    with pytest.raises(InputError, match="already exists"):
        portal.topics.export(tmp_path / "topics.toml")
    portal.topics.export(tmp_path / "topics.toml", overwrite=True)
    again = Portal.create(tmp_path / "again", topics=tmp_path / "topics.toml")
    assert again.topics == list(portal.topics)
    assert again.created is not None
    assert again.created["topics"] == len(portal.topics)
    assert "<td>Science/Physics</td><td>1</td>" in again.topics._repr_html_()

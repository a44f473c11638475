"""Splitting and removing duplicates through the API: proposals, frames, applying and undoing."""

from pathlib import Path

import pytest

from tests.api.test_examples import example, executed
from tests.organise.made import EACH, SUBJECTS, page, pastimes, portal
from thresher.api.portal import Portal
from thresher.errors import InputError, PortalError, UsageError


def test_a_split_is_a_proposal_until_it_is_applied(tmp_path: Path) -> None:
    with portal(tmp_path / "p", pastimes()):
        pass
    with Portal.open(tmp_path / "p") as opened:
        proposed = opened.split("Pastimes", into=3, method="k-means")
        assert repr(proposed).startswith("<proposed split of Pastimes: ")
        assert [len(cluster.core) for cluster in proposed.clusters] == [EACH] * len(SUBJECTS)
        frame = proposed.to_frame()
        assert len(frame) == EACH * len(SUBJECTS)
        assert set(frame["sub_topic"]) == {cluster.name for cluster in proposed.clusters}
        assert list(opened.topics) == ["Pastimes"]
        assert proposed.to_dict()["undo"] is None

        applied = opened.split("Pastimes", into=3, method="k-means", apply=True)
        assert repr(applied).startswith("<applied split")
        assert len(opened.topics) == 1 + len(SUBJECTS)
        assert applied.to_dict()["undo"] == f"thresher split {tmp_path / 'p'} --undo"
        undone = opened.undo("split")
        assert (undone.undone.pages, undone.topics_kept) == (EACH * len(SUBJECTS), [])
        assert list(opened.topics) == ["Pastimes"]


def test_the_example_of_the_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with portal(tmp_path / "my-portal", pastimes()):
        pass
    monkeypatch.chdir(tmp_path)
    printed: list[object] = []
    names = executed(example("Tidy up a topic").replace("Science", "Pastimes"), print=printed.append)
    assert printed == [names["split"]]
    assert names["portal"].topics == ["Pastimes"], "the step was undone"


def test_what_is_wrong_is_said_before_anything_changes(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    with portal(folder, [page("chess", number, "chess") for number in range(3)], ("chess",)):
        pass
    opened = Portal.open(folder)
    with pytest.raises(UsageError, match="There is no method 'magic'"):
        opened.split("chess", method="magic")
    with pytest.raises(UsageError, match="The loss cannot be 2"):
        opened.split("chess", loss=2)
    with pytest.raises(InputError, match="There is no topic"):
        opened.split("checkers")
    with pytest.raises(InputError, match="no dedupe to undo"):
        opened.undo("dedupe")
    with pytest.raises(UsageError, match="There is no kind 'all'"):
        opened.undo("all")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="out of range"):
        opened.dedupe(similar=0.2)
    with pytest.raises(PortalError):
        Portal.open(tmp_path / "nowhere")


def test_duplicates_are_found_hidden_and_shown_again(tmp_path: Path) -> None:
    same = [page(subject, 1, "chess", text="the same forty words " * 10) for subject in ("chess", "baking")]
    with portal(tmp_path / "p", [*same, page("sailing", 1, "chess")], ("chess",)):
        pass
    with Portal.open(tmp_path / "p") as opened:
        found = opened.dedupe()
        assert repr(found) == "<proposed dedupe: 1 near-duplicate in 1 group>"
        (row,) = found.to_frame().to_dict("records")
        assert {row["url"], row["repeats"]} == {one.url for one in same}
        assert row["similarity"] == 1.0
        assert opened.dedupe(apply=True).step is not None
        assert len(opened.pages()) == 2
        opened.undo("dedupe")
        assert len(opened.pages()) == 3

"""Splitting a topic: the proposal, what applying it does, and undoing it."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.cli.shapes import check_shape
from tests.organise.made import EACH, SUBJECTS, fill, page, pastimes, portal
from thresher.cli.main import call
from thresher.errors import InputError, UsageError
from thresher.organise.split_steps import apply_split, undo_split
from thresher.organise.splitting import Split, SplitOptions, split_topic
from thresher.portals import load_topics, save_topics
from thresher.store.memory import MemoryStore
from thresher.store.protocol import Store
from thresher.taxonomy.topic_tree import TrainingPage, found, put, written


@pytest.fixture(scope="module")
def store() -> Store:
    made = MemoryStore()
    fill(made, pastimes())
    return made


@pytest.fixture(scope="module")
def proposed(store: Store) -> Split:
    return split_topic(store, "Pastimes", SplitOptions())


def subjects_of(split: Split) -> list[Counter[str]]:
    return [Counter(page.url.split(".")[0][7:] for page in cluster.core) for cluster in split.clusters]


def test_subjects_are_found_and_their_number_is_proposed(proposed: Split) -> None:
    assert proposed.number is not None
    assert proposed.number.k == len(SUBJECTS)
    found = subjects_of(proposed)
    assert all(len(counts) == 1 for counts in found)
    assert {next(iter(counts)) for counts in found} == set(SUBJECTS)
    assert len(proposed.left) + sum(len(cluster.core) for cluster in proposed.clusters) == EACH * len(SUBJECTS)
    assert proposed.loss == pytest.approx(len(proposed.left) / (EACH * len(SUBJECTS)))
    assert proposed.error.error is not None
    assert proposed.error.error < 0.1


def test_clusters_are_labelled_with_words_as_people_wrote_them(proposed: Split) -> None:
    for cluster in proposed.clusters:
        subject = next(iter(Counter(page.url.split(".")[0][7:] for page in cluster.core)))
        assert {word.lower() for word in cluster.label.words} <= {*SUBJECTS[subject], subject}
        assert cluster.name == ", ".join(cluster.label.words[:3])
        assert cluster.label.sentences
        assert all(sentence.endswith(".") for sentence in cluster.label.sentences)


@pytest.mark.parametrize("method", ["k-means", "selecting", "svd"])
def test_single_methods_leave_nothing_open_unless_they_are_asked_to(store: Store, method: str) -> None:
    split = split_topic(store, "Pastimes", SplitOptions(into=3, method=method))
    assert (split.left, split.loss) == ([], 0.0)
    some = split_topic(store, "Pastimes", SplitOptions(into=3, method=method, loss=0.25))
    assert len(some.left) == EACH * len(SUBJECTS) // 4


@pytest.mark.parametrize("rest", ["svm", "transductive"])
def test_the_rest_can_be_spread(store: Store, rest: str) -> None:
    split = split_topic(store, "Pastimes", SplitOptions(into=3, loss=0.5, rest=rest))
    assert split.left == []
    assert split.loss == 0.5
    assert sum(len(cluster.spread) for cluster in split.clusters) == EACH * len(SUBJECTS) // 2
    for cluster in split.clusters:
        counts = Counter(page.url.split(".")[0] for page in (*cluster.core, *cluster.spread))
        # A transductive machine keeps the proportions of the core pages, right or wrong.
        assert counts.most_common(1)[0][1] >= (0.8 if rest == "transductive" else 1.0) * counts.total()


def test_pages_that_may_not_be_quoted_give_no_sentence() -> None:
    made = MemoryStore()
    fill(made, [replace(one, robots=("nosnippet",)) for one in pastimes(10)])
    split = split_topic(made, "Pastimes", SplitOptions(into=3))
    assert all(cluster.label.words and not cluster.label.sentences for cluster in split.clusters)


@pytest.mark.slow
def test_what_cannot_be_split_is_refused_in_a_sentence(store: Store) -> None:
    with pytest.raises(InputError, match="Nothing has 0 pages of its own"):
        split_topic(store, "Nothing", SplitOptions())
    with pytest.raises(UsageError, match="72 pages cannot be split into 40"):
        split_topic(store, "Pastimes", SplitOptions(into=40))
    with pytest.raises(UsageError, match="72 pages cannot be split into 0"):
        split_topic(store, "Pastimes", SplitOptions(into=0))
    same = MemoryStore()
    fill(same, [page("chess", number, "Pastimes", text="The same words everywhere.") for number in range(30)])
    with pytest.raises(InputError, match="cannot be separated into groups"):
        split_topic(same, "Pastimes", SplitOptions(into=2))
    empty = MemoryStore()
    fill(empty, [page("chess", number, "Pastimes", text=" ") for number in range(30)])
    with pytest.raises(InputError, match="0 pages of its own with words"):
        split_topic(empty, "Pastimes", SplitOptions())


def test_applying_makes_topics_and_undoing_takes_them_back(tmp_path: Path) -> None:
    with portal(tmp_path / "p", pastimes()) as store:
        before = load_topics(tmp_path / "p")
        seq = store.log.last()
        split = split_topic(store, "Pastimes", SplitOptions(into=3))
        step = apply_split(tmp_path / "p", store, split, at=5.0)
        tree = load_topics(tmp_path / "p")
        for cluster in split.clusters:
            topic = found(tree, ("Pastimes", cluster.name))
            assert [one.url for one in topic.pages] == [one.url for one in cluster.core[:20]]
            path = written(("Pastimes", cluster.name))
            assert {one.url for one in store.documents.accepted(path)} == {one.url for one in cluster.core}
        assert step.pages == len(list(store.log.documents_since(seq))) == 72 - len(split.left)
        undone, changed = undo_split(tmp_path / "p", store, at=6.0)
        assert (undone.pages, undone.stayed, changed) == (step.pages, 0, [])
        assert load_topics(tmp_path / "p") == before
        assert {one.topic for one in store.documents.accepted()} == {"Pastimes"}
        with pytest.raises(InputError, match="no split to undo"):
            undo_split(tmp_path / "p", store, at=7.0)


def test_topics_that_a_person_changed_since_survive_the_undoing(tmp_path: Path) -> None:
    with portal(tmp_path / "p", pastimes()) as store:
        split = split_topic(store, "Pastimes", SplitOptions(into=3))
        apply_split(tmp_path / "p", store, split, at=5.0)
        tree = load_topics(tmp_path / "p")
        path = ("Pastimes", split.clusters[0].name)
        topic = found(tree, path)
        changed = replace(topic, pages=(*topic.pages, TrainingPage("http://more.test/")))
        save_topics(tmp_path / "p", put(tree, path, changed))
        _, kept = undo_split(tmp_path / "p", store, at=6.0)
        assert kept == [written(path)]
        assert [child.name for child in found(load_topics(tmp_path / "p"), ("Pastimes",)).children] == [path[-1]]


def test_the_command_shows_applies_and_undoes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "p"
    with portal(folder, pastimes()):
        pass
    assert call(["split", str(folder), "Pastimes"]) == 0
    shown = capsys.readouterr().out
    assert "3 sub-topics fit best" in shown
    assert "Nothing was changed" in shown
    assert call(["split", str(folder), "Pastimes", "--into", "3", "--apply", "--json"]) == 0
    body = msgspec.json.decode(capsys.readouterr().out)
    check_shape(["split"], body)
    keys = {"topic", "clusters", "kept", "moved", "loss", "error", "error_interval", "applied", "undo"}
    assert keys <= body.keys()
    assert body["applied"] is True
    assert body["moved"] + body["kept"] == 72
    assert {"name", "pages", "words", "sentences", "best"} <= body["clusters"][0].keys()
    assert call(["split", str(folder), "--undo", "--json"]) == 0
    undone = msgspec.json.decode(capsys.readouterr().out)
    check_shape(["split", "--undo"], undone)
    assert undone["moved"] == body["moved"]
    for wrong, sentence in (
        (["split", str(folder)], "needs a topic"),
        (["split", str(folder), "Pastime"], "There is no topic"),
        (["split", str(folder), "Pastimes", "--method", "magic"], "There is no method"),
        (["split", str(folder), "Pastimes", "--apply", "--undo"], "contradict"),
        (["split", str(folder), "Pastimes", "--loss", "2"], "--loss"),
        (["split", str(folder), "--undo"], "no split to undo"),
    ):
        assert call(wrong) != 0
        assert sentence in capsys.readouterr().err

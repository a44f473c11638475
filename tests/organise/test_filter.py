"""Filtering topics: what leaves them, where it goes, what it costs, and undoing it."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import numpy as np
import pytest
from scipy.sparse import csr_matrix

from tests.cli.shapes import check_shape
from tests.organise.made import page, portal, text_of
from thresher.api.portal import Portal
from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.cli.main import call
from thresher.errors import InputError, UsageError
from thresher.learn.calibration import held_out_margins
from thresher.learn.error_curve import ErrorEstimate
from thresher.learn.linear import LinearSvm
from thresher.learn.meta_classifier import MetaClassifier
from thresher.learn.selected_terms import SelectedTerms
from thresher.models import save_model
from thresher.organise.filtering import Filtering, FilterOptions, apply_filter, filter_topics
from thresher.organise.moving import undo
from thresher.organise.topic_judges import portal_judges
from thresher.store.organise_records import MISCELLANEOUS, StepKind
from thresher.store.protocol import Store
from thresher.store.repository import open_store
from thresher.store.stored_page import page_of

TOPICS = {"sailing": "Crafts/sailing", "baking": "Crafts/baking", "chess": "chess"}
GOOD, DOUBTFUL = 12, 4


def doubtful(subject: str, number: int) -> str:
    """Return a text that has little of its subject in it, and much of another one."""
    other = "chess" if subject == "sailing" else "sailing"
    return " ".join([*text_of(other, number).split()[:12], *text_of(subject, number).split()[4:8]])


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filter") / "p"
    pages = [page(subject, number, topic, 2.0) for subject, topic in TOPICS.items() for number in range(GOOD)]
    pages += [
        page(subject, 500 + number, topic, 0.1, text=doubtful(subject, number))
        for subject, topic in TOPICS.items()
        for number in range(DOUBTFUL)
    ]
    examples = [
        (page_of(page(subject, 900 + number, topic)), topic) for subject, topic in TOPICS.items() for number in range(8)
    ]
    classifier = HierarchicalClassifier().fit(examples)
    with portal(folder, pages, tuple(TOPICS.values())) as store:
        save_model(folder, store, classifier, TrainingSet(examples, [], classifier.right_), at=1.0)
    return folder


@pytest.fixture(scope="module")
def store(trained: Path) -> Iterator[Store]:
    with closing(open_store(trained)) as made:
        yield made


@pytest.fixture(scope="module")
def proposed(trained: Path, store: Store) -> Filtering:
    return filter_topics(store, None, portal_judges(trained, store), FilterOptions(loss=0.25))


def test_the_doubtful_pages_go_one_topic_up(proposed: Filtering) -> None:
    doubt = {page("chess", 500 + number, "chess").url_id for number in range(DOUBTFUL)}
    assert {id_ for id_, path in proposed.moves.items() if path == (MISCELLANEOUS,)} >= doubt
    by_topic = {one.topic: one for one in proposed.topics}
    assert [one.topic for one in proposed.topics] == ["Crafts/baking", "Crafts/sailing", "Crafts", "chess"]
    assert (by_topic["chess"].kept, by_topic["chess"].moved) == (GOOD, DOUBTFUL)
    # What the two leaves gave up is all that their parent has, and it gives up a quarter of that.
    assert by_topic["Crafts"].kept + by_topic["Crafts"].moved == 2 * DOUBTFUL
    assert sum(path == ("Crafts",) for path in proposed.moves.values()) == by_topic["Crafts"].kept == 6
    assert proposed.pages == 3 * (GOOD + DOUBTFUL)
    assert proposed.loss == pytest.approx(len(proposed.moves) / proposed.pages)


def test_an_error_is_estimated_with_an_interval(proposed: Filtering) -> None:
    known = [one for one in proposed.topics if one.error.error is not None]
    assert known
    for one in known:
        low, high = one.error.interval
        assert 0.0 <= low <= one.error.error <= high <= 1.0
    pooled = proposed.error
    assert pooled.error is not None
    assert pooled.interval[0] <= pooled.error <= pooled.interval[1]


def test_a_factor_of_the_training_confidence_is_a_threshold(trained: Path, store: Store) -> None:
    judges = portal_judges(trained, store)
    nothing = filter_topics(store, "chess", judges, FilterOptions(factor=-100.0))
    everything = filter_topics(store, "chess", judges, FilterOptions(factor=100.0))
    assert (nothing.moves, len(everything.moves)) == ({}, GOOD + DOUBTFUL)
    some = filter_topics(store, "chess", judges, FilterOptions(factor=0.5)).topics[0]
    assert some.factor is not None
    assert some.factor > 0.5


def test_a_wanted_error_keeps_as_much_as_it_may(trained: Path, store: Store) -> None:
    judges = portal_judges(trained, store)
    anything = filter_topics(store, "chess", judges, FilterOptions(error=1.0))
    assert anything.moves == {}
    strict = filter_topics(store, "chess", judges, FilterOptions(error=0.0)).topics[0]
    assert strict.unreached or strict.error.error in (0.0, None)


def test_several_classifiers_judge_together(trained: Path, store: Store) -> None:
    found = filter_topics(store, "chess", portal_judges(trained, store, together=True), FilterOptions(loss=0.25))
    assert found.moves.keys() == {page("chess", 500 + number, "chess").url_id for number in range(DOUBTFUL)}
    assert found.error.error is not None


def test_applying_hides_and_undoing_brings_back(trained: Path, tmp_path: Path) -> None:
    folder = tmp_path / "p"
    shutil.copytree(trained, folder)
    with closing(open_store(folder)) as store:
        before = {one.url: one.topic for one in store.documents.accepted()}
        proposed = filter_topics(store, None, portal_judges(folder, store), FilterOptions(loss=0.25))
        seq = store.log.last()
        step = apply_filter(store, proposed, None, at=5.0)
        hidden = sum(path == (MISCELLANEOUS,) for path in proposed.moves.values())
        assert step.pages == len(proposed.moves) == len(list(store.log.documents_since(seq)))
        assert store.documents.count_accepted() == proposed.pages - hidden
        assert store.documents.count_accepted(MISCELLANEOUS) == hidden
        undone = undo(store, StepKind.FILTER, folder, at=6.0)
        assert (undone.pages, undone.stayed) == (step.pages, 0)
        assert {one.url: one.topic for one in store.documents.accepted()} == before
        with pytest.raises(InputError, match="no filter to undo"):
            undo(store, StepKind.FILTER, folder, at=7.0)


def test_topics_that_were_never_trained_are_left_alone(store: Store) -> None:
    found = filter_topics(store, "chess", lambda topic: None, FilterOptions(loss=0.5))
    assert (found.untrained, found.moves, found.error) == (["chess"], {}, ErrorEstimate(None, (0.0, 1.0), 0))
    with pytest.raises(InputError, match="Nothing has no pages"):
        filter_topics(store, "Nothing", lambda topic: None, FilterOptions(loss=0.5))


def test_the_command_shows_applies_and_undoes(
    trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "p"
    shutil.copytree(trained, folder)
    assert call(["filter", str(folder)]) == 0
    shown = capsys.readouterr().out
    assert "the estimated error is" in shown
    assert "Nothing was changed" in shown
    assert call(["filter", str(folder), "chess", "--loss", "0.25", "--apply", "--json"]) == 0
    body = msgspec.json.decode(capsys.readouterr().out)
    check_shape(["filter"], body)
    keys = {"topic", "kept", "moved", "loss", "error", "error_interval", "applied", "undo"}
    assert keys <= body.keys()
    assert (body["kept"], body["moved"], body["applied"]) == (GOOD, DOUBTFUL, True)
    assert call(["search", str(folder), f"topic:{MISCELLANEOUS}", "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out)["total"] == DOUBTFUL
    assert call(["search", str(folder), "site:chess.test", "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out)["total"] == GOOD
    assert call(["explain", str(folder), "http://chess.test/500"]) == 0
    assert "moved    from chess to Miscellaneous, by a filter on" in capsys.readouterr().out
    assert call(["filter", str(folder), "--undo"]) == 0
    assert "4 pages moved back" in capsys.readouterr().out
    for wrong, sentence in (
        (["--loss", "0.2", "--error", "0.1"], "exclude each other"),
        (["Nothing"], "There is no topic"),
        (["--loss", "nan"], "--loss"),
    ):
        assert call(["filter", str(folder), *wrong]) != 0
        assert sentence in capsys.readouterr().err
    assert call(["topics", str(folder), "add", MISCELLANEOUS]) == 0
    capsys.readouterr()
    assert call(["filter", str(folder)]) != 0
    assert "topic of its own called" in capsys.readouterr().err


def test_filtering_in_python(trained: Path, tmp_path: Path) -> None:
    folder = tmp_path / "p"
    shutil.copytree(trained, folder)
    with Portal.open(folder) as opened:
        proposed = opened.filter("chess", loss=0.25)
        assert repr(proposed) == f"<proposed filter: {DOUBTFUL} of {GOOD + DOUBTFUL} pages move>"
        assert proposed.to_frame()[["topic", "kept", "moved"]].values.tolist() == [["chess", GOOD, DOUBTFUL]]
        assert len(opened.pages("chess")) == GOOD + DOUBTFUL
        assert opened.filter("chess", loss=0.25, apply=True).step is not None
        assert len(opened.pages("chess")) == GOOD
        assert repr(opened.undo("filter")) == f"<undone filter: {DOUBTFUL} pages moved back>"
        assert len(opened.pages("chess")) == GOOD + DOUBTFUL
        for wrong in ({"loss": 0.2, "error": 0.1}, {"loss": 1.5}, {"error": -0.1}, {"loss": float("nan")}):
            with pytest.raises(UsageError):
                opened.filter(**wrong)


def test_a_portal_that_was_never_trained_cannot_be_filtered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with portal(tmp_path / "p", [page("chess", 1, "chess")], ("chess",)):
        pass
    assert call(["filter", str(tmp_path / "p")]) != 0
    assert "has not been trained" in capsys.readouterr().err


def test_members_of_a_meta_classifier_weigh_by_what_they_are_worth() -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(60) % 2 == 0
    rows = csr_matrix(np.abs(rng.normal(size=(60, 5)) + np.outer(labels, [2.0, 0, 0, 0, 0])))
    meta = MetaClassifier().fit(rows, labels)
    assert meta.weights_.sum() == pytest.approx(1.0)
    assert (np.abs(meta.margins(rows)) <= 1.0).all()
    assert ((meta.held_out_ > 0) == labels).mean() > 0.8


def test_a_member_over_selected_terms_reads_only_those() -> None:
    rng = np.random.default_rng(1)
    labels = np.arange(60) % 2 == 0
    rows = csr_matrix((rng.random((60, 40)) < 0.2) + np.outer(labels, [1.0, 1.0, *[0.0] * 38]))
    model = SelectedTerms(LinearSvm(), 2).fit(rows, labels)
    assert np.flatnonzero(model.weights_).tolist() == [0, 1]
    assert (model.predict(rows) == labels).mean() > 0.9
    # Held out, a term is not chosen because of the labels of the very rows it is tested on.
    noise = csr_matrix((rng.random((60, 2000)) < 0.1).astype(float))
    seen = SelectedTerms(LinearSvm(), 5).fit(noise, labels)
    assert (seen.predict(noise) == labels).mean() > 0.7
    assert abs((held_out_margins(noise, labels, seen.margins_of) > 0)[labels].mean() - 0.5) < 0.35
    with pytest.raises(ValueError, match="at least 1"):
        SelectedTerms(LinearSvm(), 0)

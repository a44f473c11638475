"""The bench of splitting and filtering: its readers, its draws and its measures."""

import io
import tarfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import get_args

import msgspec
import numpy as np
import pytest

from tests.cli.shapes import check_shape
from thresher.bench.organise.draws import clustering_error, draw
from thresher.bench.organise.filter_quality import LOSSES, draw_for_filter, measure_filter
from thresher.bench.organise.labelled_bags import Bag, newsgroups, reuters
from thresher.bench.organise.split_quality import measure_split
from thresher.cli.main import call
from thresher.learn.label_mapping import Mapping
from thresher.learn.meta_functions import MetaFunction

STORY = """<REUTERS TOPICS="YES"><TOPICS>{topics}</TOPICS><TEXT><TITLE>{title} &amp; CO</TITLE>
<BODY>Bags of {title} were shipped.</BODY></TEXT></REUTERS>
"""


def archive(folder: Path, name: str, files: dict[str, str]) -> None:
    """Write the archive of a collection."""
    (folder / name).mkdir(parents=True)
    with tarfile.open(folder / name / f"{name}.tar.xz", "w:xz") as tar:
        for path, text in files.items():
            data = text.encode("latin-1")
            info = tarfile.TarInfo(path)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "data"


def test_stories_with_one_topic_are_read(data: Path) -> None:
    stories = [STORY.format(topics="<D>cocoa</D>", title="cocoa")] * 60
    stories += [STORY.format(topics="<D>gold</D><D>cocoa</D>", title="gold")] * 60
    stories += [STORY.format(topics="<D>ship</D>", title="ship")] * 59
    archive(data, "reuters21578", {"reuters21578/reut2-000.sgm": "".join(stories)})
    topics = reuters(data)
    assert {topic: len(sources) for topic, sources in topics.items()} == {"cocoa": 60}
    assert topics["cocoa"][0]() == {"cocoa": 2, "co": 1, "bag": 1, "ship": 1}


def test_posts_are_read_by_their_group(data: Path) -> None:
    posts = {f"20news-bydate-{part}/sci.space/{n}": "Subject: Orbit\n\nOrbits." for part in "ab" for n in range(30)}
    archive(data, "newsgroups20", posts)
    topics = newsgroups(data)
    assert [(topic, len(sources)) for topic, sources in topics.items()] == [("sci.space", 60)]
    assert topics["sci.space"][0]()["orbit"] == 2


def made(topic: int, number: int) -> Bag:
    rng = Random(f"{topic}/{number}")
    own = [f"t{topic}w{rng.randrange(15)}" for _ in range(8)]
    return dict.fromkeys([*own, *(f"c{rng.randrange(40)}" for _ in range(6))], 1)


@pytest.fixture(scope="module")
def topics() -> dict[str, list[Callable[[], Bag]]]:
    return {f"topic{topic}": [partial(made, topic, number) for number in range(142)] for topic in range(6)}


def test_a_draw_is_the_same_for_the_same_seed(topics: dict[str, list[Callable[[], Bag]]]) -> None:
    one, again, other = (draw("made", topics, 3, seed, 20) for seed in (1, 1, 2))
    assert (one.topics, one.bags) == (again.topics, again.bags)
    assert one.bags != other.bags
    assert np.bincount(one.truth).tolist() == [20, 20, 20]


def test_the_error_of_a_clustering_does_not_depend_on_its_names() -> None:
    truth = np.array([0, 0, 0, 1, 1, 2])
    assert clustering_error(truth, np.array([2, 2, 1, 1, 1, 0]), 3) == pytest.approx(1 / 6)
    assert clustering_error(truth, np.full(6, -1), 3) == 1.0


def test_all_methods_of_splitting_are_measured(topics: dict[str, list[Callable[[], Bag]]]) -> None:
    runs = {run.method: run for run in measure_split("made", draw("made", topics, 3, 1, 30), 3, 1)}
    assert {f"meta, {function}" for function in get_args(MetaFunction)} <= runs.keys()
    assert {f"meta of three, {mapping}, majority" for mapping in get_args(Mapping)} <= runs.keys()
    assert runs["svd"].error < 0.1
    assert runs["k-means"].loss == runs["meta, rest by svm"].loss == 0.0
    for vote in ("threshold", "unanimous"):
        equal = {run.loss for name, run in runs.items() if name.startswith(f"at the loss of {vote}")}
        assert equal == {runs[f"meta, {vote}"].loss}


@pytest.mark.slow
def test_filtering_is_measured_with_its_estimates(topics: dict[str, list[Callable[[], Bag]]]) -> None:
    runs, estimates = measure_filter("made", draw_for_filter("made", topics, 1), 1)
    assert {(run.method, run.loss) for run in runs} == {
        (m, loss) for m in ("classifier", "together") for loss in LOSSES
    }
    assert all(0.0 <= run.error <= 0.5 for run in runs)
    assert all(one.low <= (one.estimated or 0.0) <= one.high for one in estimates)


def test_the_command_measures_the_parts_that_are_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["bench", "organise", "--only", "speed", "--documents", "120", "--json"]
    assert call(arguments) == 0
    body = msgspec.json.decode(capsys.readouterr().out)
    check_shape(arguments, body)
    assert body["runs"] == []
    assert body["speed"][0]["documents"] == 120
    assert call(["bench", "organise", "--only", "nothing"]) != 0
    assert "There is no part" in capsys.readouterr().err

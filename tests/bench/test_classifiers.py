"""Experiments about the page classifier: another kind of it, another training, and how near fetched pages are."""

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from tests.bench.handmade import hand_web, parsed, url
from tests.bench.made import record
from thresher.bench.assignment import Job, assign
from thresher.bench.back_links import back_link_bags
from thresher.bench.comparison import experiments
from thresher.bench.experiment import run
from thresher.bench.page_building import build_pages
from thresher.bench.protocol import Draw, draw_task
from thresher.bench.record_files import file_name, read_records
from thresher.bench.records import Record, Run, Training
from thresher.bench.repeating import repeat_command
from thresher.bench.webs.catalogue import find
from thresher.bench.webs.web import BenchWeb
from thresher.classify.flat import Model
from thresher.cli.main import call
from thresher.errors import InputError

WEB = "generated(hosts=12;pages=300;profile=clean;seed=5)"

LINKS = {"home": "o1 t1", "o1": "e1 e2 t1", "o2": "o1 e1", "o3": "o2", "t1": "e1 e2 o1", "e1": "t1", "e2": ""}
WORDS = {"o1": "harbour", "t1": "heldout secret", "e1": "boat sail", "e2": "boat wind"}


def boats() -> BenchWeb:
    """Make a web where the target `t1` links to the examples, and so do pages outside."""
    topics = {name: "boats" if name[0] in "te" else "-" for name in LINKS}
    return hand_web(LINKS, topics, home=["home"], words=WORDS)


def seeded(web: BenchWeb) -> int:
    """Return the seed set in which the examples are `e1` and `e2`."""
    pages = parsed(web)
    wanted = {url("e1"), url("e2")}
    for seed in range(100):
        if set(draw_task(web, pages, "boats", seed, "normal", Draw(2, 3, 1)).examples) == wanted:
            return seed
    raise AssertionError("no such seed set")


def job(classifier: Model = "logistic", training: Training = "pages") -> Job:
    return Job(
        web=WEB,
        topic=next(iter(find(WEB).topics)),
        strategy="page",
        seed=0,
        budget=60,
        mode="normal",
        draw=Draw(5, 15, 3),
        classifier=classifier,
        training=training,
    )


def generated(classifier: Model = "logistic", training: Training = "pages") -> Record:
    web = find(WEB)
    return run(job(classifier, training), web, build_pages(web.collection))


def test_the_usual_classifier_leaves_records_as_they_were() -> None:
    usual = record("page", "rT.")
    assert "classifier" not in json.loads(msgspec.json.encode(usual.run))
    assert file_name(usual.run) == "hand-normal-Music-page-10-0-2f80cc7f.run.json.gz"
    names = {file_name(record("page", "rT.", classifier=kind).run) for kind in ("logistic", "svm", "network")}
    names.add(file_name(record("page", "rT.", training="back-links").run))
    assert len(names) == 4


@pytest.mark.parametrize("classifier", ["svm", "network", "naive-bayes"])
def test_a_crawl_asks_the_classifier_it_is_given(classifier: Model) -> None:
    web = find(WEB)
    given = assign(job(classifier), web, build_pages(web.collection))
    assert given.classifier.model == classifier
    usual, other = generated(), generated(classifier)
    assert (other.run.classifier, other.run.crawler) == (classifier, f"page, {classifier}")
    assert (other.examples, other.starts, other.run.targets) == (usual.examples, usual.starts, usual.run.targets)


def test_back_links_teach_no_word_of_a_target() -> None:
    web = boats()
    pages, seed = parsed(web), seeded(web)
    task = draw_task(web, pages, "boats", seed, "normal", Draw(2, 3, 1))
    assert task.targets[pages.number(url("t1"))]
    bags = back_link_bags(task, pages, "boats", "any")
    assert {label for _, label in bags} == {"boats", None}
    assert sum(label == "boats" for _, label in bags) == 2
    words = {word for bag, _ in bags for word in bag}
    assert "harbour" in words
    assert not words & {"secret", "heldout"}
    assert bags == back_link_bags(task, pages, "boats", "any")


def test_back_links_that_nobody_may_read() -> None:
    web = boats()
    pages, seed = parsed(web), seeded(web)
    task = draw_task(web, pages, "boats", seed, "normal", Draw(2, 3, 1))
    closed = msgspec.structs.replace(task, open=np.zeros_like(task.open))
    with pytest.raises(InputError, match="examples of 'boats'"):
        back_link_bags(closed, pages, "boats", "any")


def test_a_crawl_trained_on_back_links() -> None:
    other = generated(training="back-links")
    assert other.run.crawler == "page, back-links"
    assert [visit.url for visit in other.log] != [visit.url for visit in generated().log]


def test_similarity_of_fetched_pages() -> None:
    made = generated()
    assert all(visit.similarity is not None and 0 <= visit.similarity <= 1 for visit in made.log)
    near = [visit.similarity or 0.0 for visit in made.log if visit.relevant]
    far = [visit.similarity or 0.0 for visit in made.log if not visit.relevant]
    assert sum(near) / len(near) > sum(far) / len(far)


def test_strategies_share_what_does_not_depend_on_them() -> None:
    web = find(WEB)
    pages = build_pages(web.collection)
    wanted = msgspec.structs.replace(job(), mode="hard", budget=40)
    given = assign(wanted, web, pages)

    def timeless(made: Record) -> tuple[Run, object]:
        return msgspec.structs.replace(made.run, cpu_ms_per_page=0.0), made.log

    for _ in range(2):
        assert timeless(run(wanted, web, pages, given)) == timeless(run(wanted, web, pages))


def test_commands_to_repeat_name_the_classifier() -> None:
    [experiment] = experiments([record("page", "rT."), record("page", "rT.", classifier="svm", training="back-links")])
    assert experiment.strategies == ["page", "page, svm, back-links"]
    usual, other = repeat_command(experiment).split("\nthresher")
    assert "--classifier" not in usual
    assert "--strategies page " in other
    assert "--classifier svm" in other
    assert "--train back-links" in other


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build_pages(find(WEB).collection)
    words = ["bench", "run", WEB, "--topics", next(iter(find(WEB).topics)), "--strategies", "page", "--seeds", "1"]
    words += ["--budget", "20", "--out", str(tmp_path), "--processes", "1", "--json"]
    assert call([*words, "--classifier", "svm", "--train", "back-links"]) == 0
    [told] = json.loads(capsys.readouterr().out)["runs"]
    assert (told["classifier"], told["training"]) == ("svm", "back-links")
    assert [one.run.crawler for one in read_records(tmp_path)] == ["page, svm, back-links"]
    assert call([*words, "--classifier", "oracle"]) == 2
    assert "naive-bayes" in capsys.readouterr().err

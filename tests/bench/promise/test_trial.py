"""Trials of the promise on a small generated web: the same again, with records, by the command."""

import json
from pathlib import Path

import msgspec
import pytest

from thresher.bench.page_building import build_pages
from thresher.bench.promise.cells import Cell
from thresher.bench.promise.kept_reading import kept_reader
from thresher.bench.promise.records import Promise, PromiseRecord, read_record
from thresher.bench.promise.running import finished, hold_all
from thresher.bench.promise.trial import Trial, hold
from thresher.bench.webs.catalogue import find
from thresher.build import make_reader, recipe_of
from thresher.cli.main import call
from thresher.config.load import load
from thresher.errors import InputError

WEB = "generated(breadth=2;depth=1;hosts=15;pages=500)"
TOPICS = tuple(find(WEB).topics)
QUICK = ("learn.pages=15", "harvest.retrain_every=30")
TRIAL = Trial(cell=Cell(name="small", web=WEB, topics=TOPICS, pages=90), settings=QUICK)


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield None


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with the record of one trial."""
    out = tmp_path_factory.mktemp("records")
    build_pages(find(WEB).collection)
    assert len(list(hold_all([TRIAL], None, out, processes=1))) == 1
    return out


def only(records: Path) -> PromiseRecord:
    return read_record(next(records.iterdir()))


@pytest.mark.slow
def test_figures_add_up(records: Path) -> None:
    record = only(records)
    run = record.run
    assert run.pages == len(record.log) == run.budget == 90
    assert sum(run.stages.values()) == 90
    assert run.fetched_again == 90 - len({fetch.url for fetch in record.log})
    assert run.examples == 8
    shares = [run.on_topic, run.on_topic_new_hosts, run.right_pages, run.breadth_first, run.stay_home]
    assert all(share is not None and 0 <= share <= 1 for share in shares)
    assert run.on_topic_new_hosts <= run.on_topic
    assert [topic.topic for topic in run.topics] == list(TOPICS)
    assert run.rounds_kept + run.rounds_rolled_back >= 1
    # A host rests for a second after each page, and the bookmarks of a topic are on one host.
    assert run.virtual_seconds > 4
    # What a baseline has in the run's time is part of what it has in its own.
    for within, whole in (
        (run.breadth_first_right_pages_in_time, run.breadth_first_right_pages),
        (run.stay_home_right_pages_in_time, run.stay_home_right_pages),
    ):
        assert within is not None
        assert whole is not None
        assert 0 <= within <= whole
    # One host per topic rests after each page, so that staying there takes long.
    assert run.stay_home_seconds is not None
    assert run.breadth_first_seconds is not None
    assert run.stay_home_seconds > run.breadth_first_seconds > 0
    assert any(fetch.topic for fetch in record.log)


@pytest.mark.slow
def test_the_same_trial_gives_the_same_record(records: Path) -> None:
    again = hold(TRIAL, find(WEB), build_pages(find(WEB).collection))
    first = only(records)
    assert again.log == first.log
    assert again.run == first.run


@pytest.mark.slow
def test_a_trial_that_was_held_is_not_held_again(records: Path, tmp_path: Path) -> None:
    before = [path.stat().st_mtime_ns for path in records.iterdir()]
    assert list(hold_all([TRIAL], None, records, processes=1)) == [only(records).run]
    assert [path.stat().st_mtime_ns for path in records.iterdir()] == before
    other = msgspec.structs.replace(TRIAL, cell=msgspec.structs.replace(TRIAL.cell, pages=80))
    assert finished(other, None, records) is None
    assert finished(TRIAL, None, tmp_path) is None
    (tmp_path / "x").write_bytes(b"no record")
    with pytest.raises(InputError, match="is not a record"):
        read_record(tmp_path / "x")


@pytest.mark.slow
def test_the_command_prints_the_rows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["bench", "promise", WEB, "--topics", TOPICS[0], "--pages", "50", "--no-baselines", "--out", str(tmp_path)]
    for setting in QUICK:
        words += ["--set", setting]
    assert call([*words, "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["runs"]
    assert set(row) == set(Promise.__struct_fields__)
    assert (row["web"], row["pages"], row["breadth_first"]) == (WEB, 50, None)
    assert call(words) == 0
    told = capsys.readouterr().out
    assert "share on topic" in told
    assert "flatters learners" in told
    assert call([*words, "--pages", "0"]) == 2
    assert "without any limit" in capsys.readouterr().err


def test_a_page_that_was_read_is_kept() -> None:
    web = find(WEB).collection
    settings = load().settings
    reader, plain = kept_reader(recipe_of(settings, "")), make_reader(settings)
    for url in web.urls()[:5]:
        answer = web.answer(url)
        assert reader.read(answer) == plain.read(answer)
        assert kept_reader(recipe_of(settings, "page")).read(answer) == plain.read(answer)
        text = reader.text(answer)
        assert text is not None
        assert text.links == []

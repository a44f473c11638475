"""One run is the crawl one would make with pencil and paper."""

import subprocess
import sys

import pytest

from tests.bench.handmade import hand_web, parsed, url
from thresher.analysers import taught
from thresher.bench.assignment import Job
from thresher.bench.conditions import conditions_of
from thresher.bench.experiment import make, run
from thresher.bench.protocol import Draw
from thresher.bench.records import Record
from thresher.bench.versions import CODE
from thresher.bench.webs.web import BenchWeb
from thresher.protocols import TermScorer
from thresher.types import Judgement, ParsedPage

LINKS = {
    "home": "b1 gone b2 b1",
    "b1": "t1 -frames",
    "b2": "t2 home nowhere",
    "t1": "deep",
    "t2": "t1",
    "deep": "t3",
    "t3": "",
    "-frames": "t3",
    "e1": "t1",
    "e2": "",
}
TOPICS = {name: "boats" if name[0] in "te" else "-" for name in LINKS if name[0] != "-"}


def made(strategy: str, budget: int = 10, mode: str = "normal", seed: int = 0, web: BenchWeb | None = None) -> Record:
    found = web or hand_web(LINKS, TOPICS, home=["home"])
    job = Job(web="hand", topic="boats", strategy=strategy, seed=seed, budget=budget, mode=mode, draw=Draw(2, 2, 1))  # type: ignore[arg-type]
    return run(job, found, parsed(found))


def names(record: Record) -> list[str]:
    return [visit.url.rpartition("/")[2] for visit in record.log]


def test_breadth_first_by_hand() -> None:
    record = made("breadth-first")
    # What is not there, `gone` and `nowhere`, costs nothing, and neither does the page without text.
    assert names(record) == ["home", "b1", "b2", "t1", "t2", "deep", "t3"]
    assert [visit.relevant for visit in record.log] == [False, False, False, True, True, False, True]
    held_out = {"t1", "t2", "t3"} - {example.rpartition("/")[2] for example in record.examples}
    assert {name for name, visit in zip(names(record), record.log, strict=True) if visit.target} == held_out
    assert record.run.targets == len(held_out)
    assert (record.run.pages, record.run.target_recall) == (7, 1.0)
    assert record.run.harvest_rate == pytest.approx(3 / 7)


def test_depth_first_by_hand() -> None:
    assert names(made("depth-first"))[:4] == ["home", "b1", "t1", "deep"]


@pytest.mark.parametrize("budget", [1, 4, 7])
def test_the_budget_counts_pages_with_text(budget: int) -> None:
    record = made("breadth-first", budget)
    assert record.run.pages == budget
    assert names(record) == ["home", "b1", "b2", "t1", "t2", "deep", "t3"][:budget]


def test_without_a_budget_everything_is_crawled() -> None:
    record = made("random", budget=0)
    assert record.run.pages == 7
    assert record.run.target_recall == 1.0
    assert (record.run.budget, record.run.oracle_share is not None) == (0, True)


@pytest.mark.slow
def test_nothing_is_cut_refused_or_fetched_twice() -> None:
    many = {"home": " ".join(f"p{n}" for n in range(2000))} | {f"p{n}": "home" for n in range(2000)} | {"t": ""}
    web = hand_web(
        many, {"home": "-", "p1": "-", "p2": "-", "p7": "boats", "p8": "boats", "p9": "boats"}, home=["home"]
    )
    record = made("breadth-first", 0, web=web)
    assert (record.run.pages, len(set(names(record)))) == (2001, 2001)


def test_in_hard_mode_examples_are_not_there() -> None:
    web = hand_web(LINKS | {"e1": "t1 e2"}, TOPICS)
    record = made("breadth-first", mode="hard", web=web)
    assert not set(record.examples) & {visit.url for visit in record.log}
    assert not set(record.starts) & {url("b1"), url("b2"), url("deep")}


def test_runs_repeat_and_seeds_differ() -> None:
    assert made("random").log == made("random").log
    assert len({tuple(names(made("random", seed=seed))) for seed in range(4)}) > 1


def test_a_record_names_what_it_was_made_of() -> None:
    record = made("breadth-first")
    assert record.data == hand_web(LINKS, TOPICS).collection.digest
    assert record.settings["engine"]["parallel"] == 1
    assert set(record.versions) >= {"thresher", "python", "code", "numpy"}
    assert record.settings_digest == made("random").settings_digest
    assert record.run.cpu_ms_per_page > 0


class Asking:
    """A strategy that must be taught."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def read(self, page: ParsedPage, judgement: Judgement | None) -> None:
        return None

    def rank(self, reading: object, view: object) -> list[object]:
        return []

    def fit(self, examples: list[tuple[ParsedPage, str | None]]) -> "Asking":
        self.told.append([label for _, label in examples])
        return self

    def consult(self, classifier: TermScorer) -> None:
        self.told.append(classifier)


def test_the_digest_of_the_code_covers_what_a_run_is_made_of() -> None:
    loaded = "import sys, thresher.bench.experiment; print(*(name for name in sys.modules if '.bench.' in name))"
    found = subprocess.run([sys.executable, "-c", loaded], check=True, capture_output=True, text=True).stdout
    modules = {f"{name.removeprefix('thresher.').replace('.', '/')}.py" for name in found.split()}
    # Names, digests and settings, which stand in a record by themselves.
    named = {f"bench/{name}.py" for name in ("code_digest", "data", "profile", "records", "versions", "webs")}
    left = {name for name in modules - named if name not in CODE and not name.startswith("bench/webs/")}
    assert left == set()


def test_strategies_are_taught_what_they_ask_for() -> None:
    page = ParsedPage(url="", title="", words=[], links=[])

    class Scorer:
        def relevance(self, bags: object) -> list[float]:
            return []

    scorer, strategy = Scorer(), Asking()
    taught(strategy, "asking", scorer, [(page, "boats"), (page, None)])  # type: ignore[arg-type]
    assert strategy.told == [["boats", None], scorer]
    assert make("breadth-first", {}, 3) is not None
    assert make("random", {"random": {"seed": 9}}, 3).seed == 9  # type: ignore[attr-defined]


def test_with_manners_a_host_is_asked_once_a_second_and_the_record_tells_it() -> None:
    web = hand_web(LINKS, TOPICS, home=["home"])
    draw = Draw(2, 2, 1)
    job = Job(
        web="hand", topic="boats", strategy="breadth-first", seed=0, budget=10, mode="normal", draw=draw, manners=True
    )
    record = run(job, web, parsed(web))
    assert set(names(record)) == set(names(made("breadth-first")))
    # Seven pages, a robots file and what is not there: a delay behind each.
    assert (record.run.virtual_seconds or 0.0) > 8
    assert conditions_of(record).endswith("--manners")
    assert made("breadth-first").run.virtual_seconds is None

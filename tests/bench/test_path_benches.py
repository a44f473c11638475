"""Orders without labels, crawls after sessions, what a long crawl costs, and the web of citations."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from tests.bench.handmade import hand_web, parsed, url
from tests.cli.shapes import check_shape
from thresher.bench.assignment import Job
from thresher.bench.growth import growing_web, growth
from thresher.bench.kept_runs import KeptRuns
from thresher.bench.link_orders import OrderRun, OrderTask, order_runs
from thresher.bench.order_tests import compared, worse
from thresher.bench.protocol import Draw
from thresher.bench.session_crawls import session_runs, summary
from thresher.bench.webs.catalogue import find
from thresher.bench.webs.cora import cora
from thresher.bench.wikispeedia_sessions import context_graph, sessions_to
from thresher.cli.bench import app
from thresher.errors import InputError
from thresher.types import ParsedPage

LINKS = {
    "home": "a b",
    "a": "c1 c2",
    "b": "x1 x2",
    "c1": "c3 c4",
    "c2": "c5",
    "x1": "x3",
    "x2": "x4",
    **dict.fromkeys(["c3", "c4", "c5", "x3", "x4"], ""),
}
WORDS = {
    **dict.fromkeys(["a", "c1", "c2", "c3", "c4", "c5"], "homework and exams of the course with its lecture notes"),
    **dict.fromkeys(["home", "b", "x1", "x2", "x3", "x4"], "football and cooking in the garden"),
}
TOPICS = {name: "course" if name[0] == "c" else "-" for name in LINKS if name not in "ab"}
ALL = "http://hand.test/"


def text(words: str) -> ParsedPage:
    return ParsedPage(url="http://o.test/", title="", words=[], links=[], terms=dict.fromkeys(words.split(), 1))


CORPUS: list[tuple[ParsedPage, str | None]] = [
    (text("homework exam cours lectur note"), None),
    (text("homework exam cours"), None),
    (text("footbal cook garden"), None),
    (text("footbal cook"), None),
]


def job(**changes: Any) -> Job:
    told = {"web": "hand", "topic": "course", "strategy": "", "seed": 0, "budget": 0, "mode": "normal"}
    return Job(**{**told, "draw": Draw(2, 4, 1), **changes})


def test_a_query_and_a_corpus_lead_to_the_topic_and_every_order_is_a_run() -> None:
    web = hand_web(LINKS, TOPICS, home=["home"], words=WORDS)
    strategies = ["breadth-first", "shark-1", "hcla(n=1;k=3;breadth=0)", "default"]
    found = list(order_runs([OrderTask(job(), web, parsed(web), CORPUS)], strategies, 2, KeptRuns(None, OrderRun)))
    assert [(run.strategy, run.order) for run in found] == [(name, order) for order in (0, 1) for name in strategies]
    assert {run.pages for run in found} == {12}
    areas = {run.strategy: run.area for run in found}
    assert areas["shark-1"] > areas["breadth-first"]
    assert areas["hcla(n=1;k=3;breadth=0)"] > areas["breadth-first"]
    for run in found:
        assert run.targets == 3
        assert all(0 <= value <= 1 for value in (run.area, run.harvest_rate, *run.precision, *run.f1))


def test_an_interrupted_bench_continues_and_makes_no_run_twice(tmp_path: Path) -> None:
    web = hand_web(LINKS, TOPICS, home=["home"], words=WORDS)
    task = OrderTask(job(), web, parsed(web), CORPUS)
    path = tmp_path / "runs.jsonl"
    runs = order_runs([task], ["breadth-first", "shark-1"], 2, KeptRuns(path, OrderRun))
    begun = [next(iter(runs)), next(iter(runs))]
    assert len(path.read_bytes().splitlines()) == 2
    with path.open("ab") as file:
        file.write(b'{"conditions":{"web":"ha')
    found = list(order_runs([task], ["breadth-first", "shark-1"], 2, KeptRuns(path, OrderRun)))
    # The same objects of JSON, CPU times included: these two were not crawled again.
    assert found[:2] == begun
    assert len(path.read_bytes().splitlines()) == len(found) == 4
    # Figures of another corpus are other runs.
    list(order_runs([replace(task, corpus=CORPUS[:2])], ["shark-1"], 1, KeptRuns(path, OrderRun)))
    assert len(path.read_bytes().splitlines()) == 5


@pytest.mark.parametrize("text", ["My notes", "My notes\n", '{"conditions":{}}\n', "\udcff\n"])
def test_a_file_of_something_else_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(before := text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match="other than runs"):
        KeptRuns(path, OrderRun)
    assert path.read_bytes() == before


def order_figures(areas: dict[tuple[str, str], list[float]]) -> list[OrderRun]:
    return [
        OrderRun("hand", topic, strategy, order, 10, 2, area, 0.1, [0.1] * 3, [0.1] * 3, 1.0)
        for (strategy, topic), own in areas.items()
        for order, area in enumerate(own)
    ]


def test_strategies_are_tested_over_tasks_and_within_each() -> None:
    runs = order_figures(
        {
            ("first", "course"): [0.80, 0.82, 0.81],
            ("first", "student"): [0.50, 0.60, 0.55],
            ("other", "course"): [0.70, 0.71, 0.69],
            ("other", "student"): [0.90, 0.60, 0.70],
            ("same", "course"): [0.79, 0.81, 0.80],
            ("same", "student"): [0.50, 0.60, 0.55],
        }
    )
    tests = compared(runs)
    assert [(one.strategy, one.topic) for one in tests] == [
        (name, topic) for name in ("other", "same") for topic in ("", "course", "student")
    ]
    over_tasks = tests[0].test
    assert (over_tasks.units, over_tasks.n) == ("topics", 2)
    assert over_tasks.difference == pytest.approx((0.70 - 0.81 + 2.2 / 3 - 0.55) / 2)
    # A loss in every order is one, however small; a mean gain with a wide spread is none, and equal is no loss.
    assert [(one.strategy, one.topic) for one in worse(tests)] == [("other", "course"), ("same", "course")]
    # A single task has no test over tasks.
    assert {one.topic for one in compared([run for run in runs if run.topic == "course"])} == {"course"}


def wikispeedia_like(tmp_path: Path) -> Path:
    folder = tmp_path / "wikispeedia"
    folder.mkdir()
    with gzip.open(folder / "paths_finished.ngram.gz", "wt") as out:
        out.write("home,a,c1\nhome,b,a,c1\nhome,a,c2\nb,x1\nhome,nowhere,a,c1\n")
    return tmp_path


def test_sessions_are_the_paths_to_some_pages_with_all_links_between_them(tmp_path: Path) -> None:
    pages = parsed(hand_web(LINKS, TOPICS, words=WORDS))
    found = sessions_to([url("c1")], pages, wikispeedia_like(tmp_path), 10, "seed")
    assert len(found) == 3
    for session in found:
        names = [page.url.removeprefix(ALL) for page in session.pages]
        assert names[-1] == "c1"
        assert session.useful == [len(names) - 1]
        linked = {(names[source], names[target]) for source, target in session.links}
        assert {("home", "a"), ("a", "c1")} <= linked
        # Who went from b to a went back: there is no such link.
        assert ("b", "a") not in linked
    with pytest.raises(InputError, match="cannot be read"):
        sessions_to([url("c1")], pages, tmp_path / "none", 10, "seed")


def test_a_context_graph_goes_back_along_links() -> None:
    pages = parsed(hand_web(LINKS, TOPICS, words=WORDS))
    graph = context_graph([url("c3")], pages, 4, 300, "seed")
    hops = dict(zip([page.url.removeprefix(ALL) for page in graph.pages], graph.distances(), strict=True))
    assert hops == {"c3": 0, "c1": 1, "a": 2, "home": 3}
    assert len(context_graph([url("c3")], pages, 1, 300, "seed").pages) == 2


def test_crawls_that_learnt_from_sessions_are_measured_like_the_others(tmp_path: Path) -> None:
    links = {**LINKS, "far": "home", "x3": "far"}
    web = hand_web(links, {**TOPICS, "far": "-"}, words=WORDS)
    told = job(mode="hard", budget=6)
    strategies = ["hmm", "hmm+graph", "context-graph", "best-first", "breadth-first"]
    found = session_runs(told, web, parsed(web), wikispeedia_like(tmp_path), strategies, 5)
    assert [run.strategy for run in found] == strategies
    for run in found:
        assert run.near == sorted(run.near, reverse=True)
        assert 0 <= run.recall <= 1
        assert 0 <= run.relevant <= run.targets
    assert list(summary(found)) == strategies


def test_a_long_crawl_is_told_in_parts() -> None:
    web, examples = growing_web(100)
    assert len(examples) == 40
    rows = growth("breadth-first", 90, 30, web, examples)
    assert [row.begin for row in rows] == [0, *(row.end for row in rows[:-1])]
    assert all(row.end - row.begin >= 30 and row.cpu_ms_per_page > 0 for row in rows)


def test_citations_become_links_both_ways(tmp_path: Path) -> None:
    folder = tmp_path / "citations"
    folder.mkdir()
    for kind, content in (("data", "a <b> paper\nother\nthird\n"), ("graph", "0\t1\n2\t1\n"), ("group", "3\n\n3\n")):
        with gzip.open(folder / f"cora-text.{kind}.txt.gz", "wt") as out:
            out.write(content)
    web = cora(tmp_path)
    assert web.labels == {"http://cora.test/0.html": ("class-3",), "http://cora.test/2.html": ("class-3",)}
    body = web.collection.answer("http://cora.test/1.html").body.decode()
    assert body.count("<a href") == 2
    assert "&lt;b&gt;" in web.collection.answer("http://cora.test/0.html").body.decode()
    assert web.collection.held("http://cora.test/9.html") is None
    with pytest.raises(InputError, match="no collection"):
        cora(tmp_path / "none")


def test_the_real_citations_have_seven_classes(data: Path) -> None:
    assert list(find("cora", data).topics) == [f"class-{number}" for number in range(7)]


def test_growth_is_printed_as_one_object() -> None:
    told = ["bench", "speed", "growth", "--strategies", "breadth-first", "--pages", "120", "--json"]
    result = CliRunner().invoke(app, told)
    assert result.exit_code == 0, result.output
    body = json.loads(result.output)
    check_shape(told, body)
    rows = body["rows"]
    assert {row["strategy"] for row in rows} == {"breadth-first"}

"""Families of webs: several small webs as one experiment, beside each of them."""

from pathlib import Path

from tests.bench.made import record
from thresher.bench.comparison import experiments
from thresher.bench.conditions import conditions_of
from thresher.bench.families import together
from thresher.bench.records import Record
from thresher.bench.repeating import repeat_command
from thresher.bench.report import page, write_report

UNIVERSITIES = ("webkb-cornell", "webkb-texas")


def runs(*webs: str) -> list[Record]:
    return [
        record(strategy, marks, web=web, topic=topic, seed=seed, examples=20, negatives=60, start=1)
        for web in webs
        for topic in ("course", "faculty")
        for seed in (0, 1)
        for strategy, marks in (("page", "T..T."), ("window-40", "TT.T."))
    ]


def test_topics_of_all_members_are_tasks_of_the_family() -> None:
    family, *members = experiments([*runs(*UNIVERSITIES), *together(runs(*UNIVERSITIES))])
    assert [member.web for member in members] == list(UNIVERSITIES)
    assert family.web == "webkb"
    assert {one.run.topic for one in family.records} == {
        "cornell/course",
        "cornell/faculty",
        "texas/course",
        "texas/faculty",
    }
    assert sum(len(member.records) for member in members) == len(family.records)
    assert {conditions_of(one) for one in family.records} == {""}


def test_one_member_alone_and_webs_of_no_family_are_not_joined() -> None:
    assert together(runs("webkb-texas")) == []
    assert together([record("page", "T", web="wikispeedia"), record("page", "T", web="generated")]) == []


def test_the_command_that_repeats_a_family_names_topics_as_its_webs_do() -> None:
    (family, *_) = experiments(together(runs(*UNIVERSITIES)))
    command = repeat_command(family)
    assert command.startswith("thresher bench run webkb ")
    assert "--topics course,faculty " in command


def test_the_report_has_a_chapter_for_the_family_and_counts_no_run_twice(tmp_path: Path) -> None:
    figures = write_report(runs(*UNIVERSITIES), tmp_path / "report.html")
    assert [one["web"] for one in figures] == ["webkb", *UNIVERSITIES]
    both = experiments([*runs(*UNIVERSITIES), *together(runs(*UNIVERSITIES))])
    html = page(both, ["page"] * 3)
    assert "webkb, normal mode" in html
    assert f"{len(runs(*UNIVERSITIES))} runs" in html

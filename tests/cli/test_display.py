"""What is said of a round of retraining under the live display and in the log."""

import io
from contextlib import closing
from pathlib import Path

import pytest
from rich.console import Console

from thresher.cli.display import Display
from thresher.cli.main import call
from thresher.cli.screen import Screen
from thresher.crawl.phases.retraining import BROKEN_OFF
from thresher.portals import create_portal
from thresher.store.records import RETRAINED, Batch, EventRow, Progress
from thresher.store.repository import open_store

CHANGE = {"before": 0.93, "after": 0.939, "won": 2, "lost": 1}
TOPICS = [
    {"topic": "Boats [sic]", "kept": True, "why": "", "archetypes": 12},
    {"topic": "Tea", "kept": False, "why": "halves-disagree", "archetypes": 0},
]
MOVES = [{"from": None, "to": "Boats", "pages": 3}, {"from": "Tea", "to": None, "pages": 1}]
ROUND = {"step": 2, "pages": 400, "archetypes": 12, "change": CHANGE, "kept": True, "topics": TOPICS, "moves": MOVES}


def screen_on(console: Console) -> Screen:
    screen = Screen()
    screen.rich = console
    return screen


def shown(detail: dict[str, object], kind: str = RETRAINED) -> str:
    out = io.StringIO()
    with Display(screen_on(Console(file=out, width=300, soft_wrap=True))) as display:
        display.show(Progress(pages=399))
        display.show(Progress(pages=400, news=EventRow(at=0.0, kind=kind, detail=detail)))
        display.show(Progress(pages=401))
    return out.getvalue()


def test_a_round_is_told_once_with_what_it_brought() -> None:
    said = shown(ROUND)
    assert said.count("Round 2 at 400 pages: 12 archetypes teach; new ones for Boats [sic], not for Tea") == 1
    assert "not for Tea (halves-disagree); 4 pages change topic." in said


def test_a_round_that_an_earlier_version_rolled_back_says_why() -> None:
    said = shown({**ROUND, "kept": False, "message": "5 of the 60 pages [sic] were judged wrongly."})
    assert "rolled back: 5 of the 60 pages [sic] were judged wrongly." in said


def test_a_lesson_that_taught_nothing_says_why() -> None:
    assert "Retraining at 7 pages: no page is good enough; the classifier" in shown(
        {"pages": 7, "error": "no page is good enough"}
    )


def test_a_round_that_ended_with_its_crawl_is_told() -> None:
    assert "broken off, as the crawl ended at 400 pages" in shown({"pages": 400}, BROKEN_OFF)


def test_the_log_tells_a_round_in_the_same_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create_portal(tmp_path / "p", None)
    with closing(open_store(tmp_path / "p")) as store:
        crawl = store.crawls.start("harvest", "default", {}, 0.0)
        events = [
            EventRow(at=0.0, kind=kind, detail=detail) for kind, detail in ((RETRAINED, ROUND), ("cut", {"n": 3}))
        ]
        store.commit(Batch(crawl=crawl.id, at=0.0, events=events))
    assert call(["log", str(tmp_path / "p")]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert "retrained" in first
    assert "Round 2 at 400 pages: 12 archetypes" in first
    assert "{" not in first
    assert "n=3" in second


@pytest.mark.parametrize("width", [60, 40])
def test_a_narrow_terminal_shows_every_reason_whole(width: int) -> None:
    out = io.StringIO()
    with Display(screen_on(Console(file=out, width=width, force_terminal=True))) as display:
        display.show(Progress(pages=1234, queued=99, refused={"robots-unreachable": 12, "nofollow": 3, "too-deep": 1}))
    said = " ".join(out.getvalue().split())
    for reason in ("robots-unreachable 12", "nofollow 3", "too-deep 1"):
        assert reason in said
    assert "…" not in said

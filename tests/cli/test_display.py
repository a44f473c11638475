"""What a person sees while work is under way, and what is said of a round of retraining there and in the log."""

import io
import re
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console
from rich.live import Live

from tests.store.rows import url_row
from thresher.cli.display import Display
from thresher.cli.main import call
from thresher.cli.progress_block import ProgressBlock
from thresher.cli.rounds import news_sentence
from thresher.cli.screen import Screen
from thresher.crawl.phases.retraining import BROKEN_OFF
from thresher.portals import create_portal
from thresher.store.records import RETRAINED, Batch, CrawlKind, CrawlState, EventRow, Progress
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
    assert said.count("Round 2 at 400 pages: 12 archetypes in use; new for Boats [sic], not for Tea") == 1
    assert "not for Tea (halves-disagree); 4 pages changed topic." in said


def test_a_round_that_an_earlier_version_rolled_back_says_why() -> None:
    said = shown({**ROUND, "kept": False, "message": "5 of the 60 pages [sic] were judged wrongly."})
    assert "rolled back: 5 of the 60 pages [sic] were judged wrongly." in said


def test_a_lesson_that_taught_nothing_says_why() -> None:
    assert "Retraining at 7 pages: no page is good enough; keeping the current" in shown(
        {"pages": 7, "error": "no page is good enough"}
    )


def test_a_round_that_ended_with_its_crawl_is_only_logged() -> None:
    event = EventRow(at=0.0, kind=BROKEN_OFF, detail={"pages": 400})
    assert news_sentence(event) == "Retraining cancelled: the crawl ended at 400 pages."
    assert "etraining" not in shown({"pages": 400}, BROKEN_OFF)


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


def block(headline: str = "Harvest: crawling wherever the topics lead.") -> ProgressBlock:
    return ProgressBlock(0.0, headline)


def seen(found: ProgressBlock, now: float, width: int = 80) -> list[str]:
    """Return the lines that a terminal of a width shows at a time."""
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system=None, markup=False)
    console.print(found.lines(now, width))
    return [line.rstrip() for line in out.getvalue().splitlines()]


FAR = Progress(pages=156, queued=1157, accepted=95, page_limit=400, errors={"not-found": 3, "timeout": 1})


def test_a_phase_is_one_block_of_four_lines() -> None:
    found = block()
    found.update(Progress(pages=0, page_limit=400), 0.0)
    found.update(FAR, 12.0)
    found.news = "Round 1 at 150 pages: 7 archetypes in use; " + "new ones for everything, " * 9
    headline, bar, figures, news = seen(found, 12.0)
    assert headline == "Harvest: crawling wherever the topics lead."
    assert bar.endswith("  156 of 400 pages")
    assert figures == "13.0 pages/s  harvest 61%  1,157 queued  4 errors  0:12 elapsed  ~19 s left"
    assert news.startswith("Round 1 at 150 pages")
    assert len(news) <= 80


def test_hosts_that_wait_on_purpose_are_told() -> None:
    found = block()
    found.update(replace(FAR, withheld=17), 12.0)
    assert "1,157 queued, 17 hosts on hold for better pages" in found.sentence(12.0)


def test_status_and_explain_tell_that_hosts_wait_on_purpose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    portal, url = tmp_path / "p", "http://waits.test/page"
    create_portal(portal, contact="nobody@example.org")
    with closing(open_store(portal)) as store:
        crawl = store.crawls.start(CrawlKind.HARVEST, "default", {}, 1.0).id
        progress = Progress(state=CrawlState.RUNNING, pages=9, withheld=17, slower=2.5)
        store.commit(Batch(crawl=crawl, at=2.0, urls=[url_row(url, parent="http://a.test/")], progress=progress))
    assert call(["explain", str(portal), url]) == 0
    assert "Better pages come first: the crawl leaves 17 hosts idle to wait for them." in capsys.readouterr().out
    assert call(["status", str(portal)]) == 0
    assert "2.5x slower than possible, to wait for better pages" in capsys.readouterr().out


def test_a_new_phase_has_none_of_the_numbers_before() -> None:
    found = block()
    found.update(FAR, 10.0)
    found.news = "old news"
    found.begin("Training: learning 12 topics.", 20.0)
    assert seen(found, 23.0) == ["Training: learning 12 topics.", "0:03 elapsed"]
    found.update(Progress(pages=5), 24.0)
    found.update(Progress(pages=9), 26.0)
    assert seen(found, 26.0)[1:] == ["9 pages  2.0 pages/s  0 queued  0:06 elapsed"]


def test_the_rate_falls_while_nothing_arrives() -> None:
    found = block()
    found.update(Progress(pages=0), 0.0)
    found.update(Progress(pages=40), 4.0)
    rates = [float(found.figures(now)[1].split()[0]) for now in (4.0, 8.0, 16.0)]
    assert rates == [10.0, 5.0, 2.5]


def test_an_old_rate_is_forgotten() -> None:
    found = block()
    for second in range(100):
        found.update(Progress(pages=100 * min(second, 10) + max(0, second - 10)), float(second))
    assert found.figures(99.0)[1] == "1.0 pages/s"


def test_the_time_left_is_that_of_the_limit_that_comes_first() -> None:
    found = block()
    for now, pages in ((0.0, 0), (10.0, 100)):
        found.update(Progress(pages=pages, page_limit=10_000, time_limit=610.0), now)
    assert found.figures(10.0)[-1] == "~10 min left"
    found.update(Progress(pages=100, page_limit=300, time_limit=610.0), 10.0)
    assert found.figures(10.0)[-1] == "~20 s left"


@pytest.mark.parametrize("width", [80, 60, 40, 24])
def test_no_figure_is_broken_on_a_narrow_terminal(width: int) -> None:
    found = block("Harvest: crawling.")
    found.update(Progress(pages=0, page_limit=400), 0.0)
    found.update(FAR, 12.0)
    lines = seen(found, 12.0, width)
    assert all(len(line) <= width for line in lines)
    for figure in (*found.figures(12.0), "156 of 400 pages"):
        assert any(figure in line for line in lines), figure


@pytest.mark.parametrize("width", [80, 60, 40])
def test_a_long_headline_is_broken_between_words(width: int) -> None:
    headline = "Learning: crawling near your examples for more training material; at most 60 pages and 40 seconds."
    out = io.StringIO()
    # The console of the commands does not wrap, so that addresses stay whole.
    console = Console(file=out, width=width, force_terminal=True, color_system=None, soft_wrap=True)
    with console.capture() as captured, Live(block(headline).lines(0.0, width), console=console, auto_refresh=False):
        pass
    lines = [
        line.rstrip() for line in re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", captured.get()).splitlines() if line.strip()
    ]
    assert " ".join(lines).startswith(headline)
    assert all(len(line) <= width for line in lines)


def test_an_ended_phase_leaves_the_screen_before_its_result_is_told() -> None:
    found = block()
    found.update(FAR, 12.0)
    found.begin("", 13.0)
    assert seen(found, 13.0) == []


def test_a_pause_says_why_in_place_of_news() -> None:
    found = block()
    found.news = "old news"
    found.update(Progress(pages=5, state=CrawlState.PAUSED, stopped_because="There is no room left."), 1.0)
    assert seen(found, 1.0)[-1] == "Paused. There is no room left."
    found.update(Progress(pages=5), 2.0)
    assert seen(found, 2.0)[-1] == "old news"


def test_without_a_terminal_there_are_plain_lines() -> None:
    out = io.StringIO()
    with Display(screen_on(Console(file=out, width=300, soft_wrap=True)), every=0.0) as display:
        display.stage("Crawl: following links.")
        display.show(Progress(pages=7, queued=12, page_limit=10))
        display.show(Progress(pages=8, state=CrawlState.PAUSED, stopped_because="No room."))
        display.show(Progress(pages=8, state=CrawlState.PAUSED, stopped_because="No room."))
        display.note("A note.")
    lines = out.getvalue().splitlines()
    assert lines[:2] == ["Crawl: following links.", "7 of 10 pages, 12 queued, 0:00 elapsed"]
    assert lines.count("Paused. No room.") == 1
    assert lines[-1] == "Note: A note."
    assert "\x1b" not in out.getvalue()


def test_nothing_but_notes_stays_on_a_terminal() -> None:
    out = io.StringIO()
    with Display(screen_on(Console(file=out, width=80, force_terminal=True, color_system=None))) as display:
        display.stage("Crawl: following links.")
        display.show(Progress(pages=7, queued=12, page_limit=10))
        display.tell("some news")
        display.note("A note.")
        display.show(Progress(pages=8, queued=12, page_limit=10))
    assert screen_after(out.getvalue()) == ["Note: A note."]


def screen_after(written: str) -> list[str]:
    """Return what a terminal shows when all has been written to it."""
    lines, row, column = [""], 0, 0
    for piece in re.findall(r"\x1b\[[?\d;]*[A-Za-z]|\n|\r|[^\x1b\n\r]+", written):
        if piece == "\n":
            row, column = row + 1, 0
            lines += [""] * (row + 1 - len(lines))
        elif piece == "\r":
            column = 0
        elif piece == "\x1b[1A":
            row -= 1
        elif piece == "\x1b[2K":
            lines[row] = ""
        elif not piece.startswith("\x1b"):
            lines[row] = (lines[row][:column].ljust(column) + piece + lines[row][column + len(piece) :]).rstrip()
            column += len(piece)
    return [line for line in lines if line]

"""What a portal has is not fetched again: from training to harvest, from one run to the next, and for questions."""

from collections import Counter
from pathlib import Path

import pytest

from tests.runs.small_web import SmallPortal, address, linked, page
from tests.runs.test_world import whole
from thresher.runs.plans import Ask, Harvest, Learn
from thresher.runs.run import run
from thresher.runs.training import train
from thresher.runs.whole import Stage


@pytest.mark.slow
def test_a_whole_run_asks_for_nothing_twice(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    assert portal.run(130) is Stage.DONE
    assert [url for url, times in Counter(portal.web.pages()).items() if times > 1] == []
    reused = {crawl.kind: crawl.progress.reused for crawl in portal.crawls()}
    assert (reused["train"], reused["learn"], reused["harvest"]) == (0, 8, 32)


@pytest.mark.slow
def test_what_does_not_exist_is_asked_for_once(tmp_path: Path) -> None:
    answers = linked(40)
    gone = [f"http://boats{number % 3}.test/gone/{number}" for number in range(12)]
    for start in range(4):
        answers[address("Boats", start)] = page(address("Boats", start), [*gone[start::4], address("Boats", start + 4)])
    portal = SmallPortal(tmp_path / "p", answers)
    assert portal.run(None) is Stage.DONE
    learnt = next(crawl for crawl in portal.crawls() if crawl.kind == "learn")
    assert learnt.progress.errors["not-found"] > 0
    asked = Counter(candidate.url for candidate in portal.web.asked if candidate.url in gone)
    assert set(asked) == set(gone)
    assert max(asked.values()) == 1


@pytest.mark.slow
def test_a_whole_run_on_a_generated_web_fetches_each_page_once(tmp_path: Path) -> None:
    steps, log = whole(tmp_path / "p")
    assert any(step.stage is Stage.LEARN for step in steps)
    times = Counter(url for _, kind, url in log if kind in ("fetched", "redirected") and url)
    assert max(times.values()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("pages", [10, 0], ids=["a short learning crawl", "any"])
def test_all_pages_behind_redirects_are_found(tmp_path: Path, pages: int) -> None:
    answers = linked(4)
    behind = [f"http://boats{number % 3}.test/new/{number}" for number in range(60)]
    moved = {f"http://boats{number % 3}.test/old/{number}": url for number, url in enumerate(behind)}
    for start in range(4):
        answers[address("Boats", start)] = page(address("Boats", start), list(moved)[start::4])
    answers |= {**moved, **{url: page(url) for url in behind}}
    portal = SmallPortal(tmp_path / "p", answers)
    assert portal.run(None, f"learn.pages={pages}") is Stage.DONE
    assert {url for url in portal.web.pages() if "/new/" in url} == set(behind)
    assert Counter(portal.web.pages()).most_common(1)[0][1] == 1


@pytest.mark.slow
def test_a_second_run_goes_on_from_what_the_first_has(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.run(60)
    portal.run(60, fresh=True)
    assert len(portal.web.pages()) == len(set(portal.web.pages())) == 120


@pytest.mark.slow
def test_a_question_takes_what_crawls_have_fetched_and_crawls_what_it_has(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.run(40)
    portal.do(run(Ask(portal.directory, "boat harbour", 30), world=portal.world))
    portal.run(30, fresh=True)
    assert len(portal.web.pages()) == len(set(portal.web.pages())) == 100


def test_old_pages_are_asked_for_with_what_their_servers_said(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.do(train(portal.directory, world=portal.world))
    trained = set(portal.web.pages())
    portal.web.asked.clear()
    outcome = portal.do(run(Learn(portal.directory, ["learn.pages=30", "manners.fresh_days=0"]), world=portal.world))
    again = [candidate for candidate in portal.web.asked if candidate.url in trained]
    assert {candidate.url for candidate in again} == trained
    assert all(candidate.copy is not None and candidate.copy.etag for candidate in again)
    assert (outcome.progress.unchanged, outcome.progress.changed, outcome.progress.reused) == (8, 0, 0)
    assert outcome.progress.pages == 30, "what is sent again counts"


def test_a_harvest_asks_for_what_its_learning_crawl_fetched_long_ago(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")

    async def go() -> None:
        await train(portal.directory, world=portal.world)
        await run(Learn(portal.directory, ["learn.pages=20"]), world=portal.world)
        portal.web.asked.clear()
        await run(Harvest(portal.directory, ["harvest.pages=30", "manners.fresh_days=0"]), world=portal.world)

    portal.do(go())
    copies = [candidate.copy is not None for candidate in portal.web.asked if "robots" not in candidate.url]
    assert copies.count(True) > 10
    assert portal.crawls()[-1].progress.unchanged == copies.count(True)

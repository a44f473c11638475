"""The budget of a whole run holds for all its stages together, over all its calls."""

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.runs.small_web import SmallPortal, address
from thresher.config.learning_settings import LearnSettings
from thresher.config.load import load
from thresher.errors import UsageError
from thresher.portals import load_topics, save_topics
from thresher.runs.plans import Ask, Harvest, Learn
from thresher.runs.run import run
from thresher.runs.run_budget import LEAST, Allowance, RunBudget, account_of
from thresher.runs.training import train
from thresher.runs.whole import Stage, stage_of
from thresher.store.memory import MemoryStore
from thresher.store.records import Batch, CrawlKind, Progress, RunMark
from thresher.taxonomy.topic_tree import Topic, TrainingPage, put

LEARN: LearnSettings = load().settings.learn
SHARE = "learn.share=0.5"


def stages(portal: SmallPortal) -> list[Stage]:
    return [step.stage for step in portal.steps]


@pytest.mark.slow
@pytest.mark.parametrize("pages", [10, 60, 130])
def test_all_stages_together_store_as_many_pages_as_are_allowed(tmp_path: Path, pages: int) -> None:
    portal = SmallPortal(tmp_path / "p")
    assert portal.run(pages) is Stage.DONE
    assert portal.stored() == portal.account().pages == pages
    assert len(portal.web.pages()) == pages, "and nothing was fetched in vain"
    learnt = [Stage.LEARN, Stage.RETRAIN] if pages == 130 else []
    assert stages(portal) == [Stage.TRAIN, *learnt, Stage.HARVEST]
    assert any(line.startswith("Skipping the learning crawl") for line in portal.told) == (not learnt)
    assert portal.told[-2].endswith(f"at most {pages - 8 - (24 if learnt else 0)} pages.")


@pytest.mark.slow
def test_each_stage_says_what_it_may_fetch_before_it_starts(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.run(130)
    assert portal.told[:2] == [
        "Training: fetching your example pages and training the topics.",
        "Training: fetching 8 pages from 8 hosts; about 4 seconds.",
    ]
    assert "Learning: crawling near your examples for more training material; at most 24 pages." in portal.told
    assert "Harvest: crawling wherever the topics lead; at most 98 pages." in portal.told


def test_a_fetch_for_training_shows_the_pages_it_fetches_and_not_the_budget_of_the_run(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.run(40)
    assert [progress.page_limit for progress in portal.shown][:1] == [8]
    assert {progress.page_limit for progress in portal.shown} == {8, 32}


def test_more_pages_go_on_and_fewer_do_not(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.run(40)
    asked = len(portal.web.asked)
    for pages in (None, 40, 10):
        assert portal.run(pages) is Stage.DONE
    assert len(portal.web.asked) == asked
    assert portal.run(55) is Stage.DONE
    assert (portal.stored(), portal.account().pages) == (55, 55)
    assert [crawl.kind for crawl in portal.crawls()] == ["train", "harvest"], "the same harvest goes on"


@pytest.mark.parametrize("after", [3, 60, *(pytest.param(after, marks=pytest.mark.slow) for after in (12, 18, 30, 75))])
@pytest.mark.parametrize("again", [90, None], ids=["said again", "remembered"])
def test_a_run_that_was_killed_in_any_stage_ends_at_its_budget(tmp_path: Path, after: int, again: int | None) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.kill(after, 90, SHARE)
    assert portal.stored() < 90
    assert portal.run(again, SHARE) is Stage.DONE
    assert portal.stored() == portal.account().pages == 90
    phases = [crawl.kind for crawl in portal.crawls() if crawl.kind != CrawlKind.TRAIN]
    assert phases == ["learn", "harvest"]


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_ends_at_its_budget(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    for after in (4, 9, 14, 19, 24):
        portal.kill(after, 90, SHARE)
    assert portal.run(90, SHARE) is Stage.DONE
    assert portal.stored() == 90


def test_a_smaller_budget_than_before_ends_a_run_early(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.kill(30, 90, SHARE)
    before = portal.stored()
    assert portal.run(before + 10, SHARE) is Stage.DONE
    assert portal.stored() == before + 10
    assert portal.steps[-1].stage is Stage.HARVEST, "the harvest does not starve"


def test_a_fresh_run_has_a_budget_of_its_own(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.run(40)
    portal.run(30, fresh=True)
    assert (portal.stored(), portal.account().pages) == (70, 30)
    assert portal.account().mark == RunMark(2, 30)
    assert len(set(portal.web.pages())) == 70, "what the first run stored is not fetched again"


@pytest.mark.slow
def test_changed_topics_begin_a_run_that_a_kill_does_not_forget(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.run(40)
    boats = load_topics(portal.directory).get(("Boats",))
    assert boats is not None
    pages = (*boats.pages, *(TrainingPage(address("Boats", number)) for number in range(100, 104)))
    save_topics(portal.directory, put(load_topics(portal.directory), ("Boats",), Topic(name="", pages=pages)))
    portal.kill(4, 30)
    assert portal.account().mark == RunMark(2, 30)
    trained = portal.do(train(portal.directory, world=portal.world))
    assert trained.fetched <= 4
    settings = load(portal.directory).settings
    assert stage_of(portal.directory, settings, None, False) == (Stage.LEARN, True), "no crawl knows the new topics"
    portal.run(30)
    assert portal.account().pages == 30


def test_what_other_commands_fetched_is_not_held_against_a_run(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.do(train(portal.directory, world=portal.world))
    portal.do(run(Learn(portal.directory, ["learn.pages=20"]), world=portal.world))
    assert portal.stored() == 28
    portal.run(30)
    assert (portal.stored(), portal.account().pages) == (58, 30)


def test_a_harvest_begun_by_itself_goes_on_as_a_run(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.do(train(portal.directory, world=portal.world))
    portal.do(run(Harvest(portal.directory, ["harvest.pages=20"]), world=portal.world))
    assert portal.run(20) is Stage.DONE
    assert portal.stored() == 28
    portal.run(35)
    assert portal.crawls()[-1].progress.pages == portal.account().pages == 35


def test_a_harvest_from_hubs_takes_over_the_one_before(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.do(train(portal.directory, world=portal.world))
    portal.do(run(Harvest(portal.directory, ["harvest.pages=20"]), world=portal.world))
    known = set(portal.web.pages())
    portal.web.asked.clear()
    portal.do(run(Harvest(portal.directory, ["harvest.pages=10"], True, from_hubs=True), world=portal.world))
    first, second = portal.crawls()[-2:]
    assert second.predecessor == first.id
    assert (second.progress.pages, portal.stored()) == (10, 38)
    assert not known & set(portal.web.pages()), "what the first harvest stored is not fetched again"


@pytest.mark.slow
def test_hours_bound_the_whole_call(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p", settings="[harvest]\npages = 0\n")
    assert portal.run(hours=15 / 3600) is Stage.DONE
    seconds = {crawl.kind: crawl.progress.seconds for crawl in portal.crawls()}
    assert sum(seconds.values()) == pytest.approx(15, abs=1.5)
    assert seconds["learn"] == pytest.approx((15 - seconds["train"]) / 5, abs=1.0)
    before = portal.stored()
    portal.run(hours=100 / 3600)
    assert portal.stored() > before, "as many hours again"


@pytest.mark.slow
def test_time_that_is_up_before_the_harvest_ends_the_call(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    assert portal.run(hours=1.5 / 3600) is Stage.DONE
    assert stages(portal) == [Stage.TRAIN]
    assert portal.told[-1] == "The budget of this run is used up."
    assert portal.run() is Stage.DONE
    assert Stage.HARVEST in stages(portal)


def test_a_small_budget_trains_on_some_pages_of_every_topic(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    portal.run(5)
    assert portal.stored() == 5
    assert "Training: fetching 4 of 8 pages from 4 hosts; about 4 seconds." in portal.told
    trained = {crawl.id for crawl in portal.crawls() if crawl.kind == CrawlKind.TRAIN}
    first = [entry.url for entry in portal.log() if entry.kind == "fetched" and entry.crawl in trained]
    assert sorted(first) == [address(subject, number) for subject in ("Boats", "Tea") for number in (0, 1)]


def test_a_budget_that_trains_no_topic_is_refused_before_anything_is_fetched(tmp_path: Path) -> None:
    portal = SmallPortal(tmp_path / "p")
    with pytest.raises(UsageError, match="2 topics have no training page yet, and 1 can be fetched") as caught:
        portal.run(2)
    assert caught.value.remedy == "Allow more pages, such as --pages 80."
    assert portal.web.asked == []


@pytest.mark.parametrize("known", [False, True], ids=["untrained", "harvested"])
def test_a_question_fetches_no_more_than_it_may(tmp_path: Path, known: bool) -> None:
    portal = SmallPortal(tmp_path / "p")
    if known:
        portal.run(30)
    before, asked = portal.stored(), len(portal.web.pages())
    outcome = portal.do(run(Ask(portal.directory, "boat harbour", 12), world=portal.world))
    assert outcome.progress.pages == portal.stored() - before == len(portal.web.pages()) - asked == 12
    assert len(set(portal.web.pages())) == len(portal.web.pages())


@given(st.integers(0, 10_000), st.floats(0, 1), st.integers(0, 10_000))
def test_no_stage_takes_so_much_that_the_harvest_starves(pages: int, share: float, most: int) -> None:
    chosen = LEARN.model_copy(update={"share": share * 0.9, "pages": most})
    training = Allowance(pages).for_training()
    assert training is not None
    assert 0 <= training <= pages
    left = Allowance(pages).after(training, 0.0)
    learning = left.for_learning(chosen)
    assert left.pages is not None
    assert left.pages > 0 or pages == 0
    if learning is not None:
        assert learning.pages is not None
        assert LEAST <= learning.pages < left.pages
        assert not most or learning.pages <= most


def test_without_a_budget_the_settings_decide() -> None:
    assert Allowance().for_training() is None
    assert Allowance().for_learning(LEARN) == Allowance(LEARN.pages, None)
    assert Allowance(hours=2.0).for_learning(LEARN) == Allowance(LEARN.pages, 0.4)
    assert Allowance().after(10, 10.0) == Allowance()


def test_learning_on_few_sites_is_short() -> None:
    assert Allowance(5000).for_learning(LEARN, sites=4) == Allowance(LEARN.per_site * 4, pytest.approx(20 / 3600))
    slow = Allowance(5000).for_learning(LEARN, sites=4, delay=9.0)
    assert slow == Allowance(LEARN.per_site * 4, pytest.approx(200 / 3600))
    assert Allowance(5000).for_learning(LEARN, sites=1) == Allowance(LEAST, pytest.approx(20 / 3600))
    assert Allowance(5000).for_learning(LEARN, sites=1000) == Allowance(LEARN.pages, pytest.approx(20 / 3600))
    unbounded = LEARN.model_copy(update={"per_site": 0})
    assert Allowance(5000).for_learning(unbounded, sites=4) == Allowance(LEARN.pages, None)


@pytest.mark.parametrize(
    ("because", "budget", "goes_on"),
    [
        ("pages", RunBudget(), False),
        ("pages", RunBudget(pages=11), True),
        ("pages", RunBudget(hours=1.0), False),
        ("time", RunBudget(hours=1.0), True),
        ("time", RunBudget(pages=11), True),
        ("time", RunBudget(), False),
        ("harvest-rate", RunBudget(pages=99, hours=1.0), False),
        ("empty", RunBudget(pages=99), False),
    ],
    ids=str,
)
def test_a_spent_harvest_goes_on_with_more_of_what_it_spent(because: str, budget: RunBudget, goes_on: bool) -> None:
    assert budget.extends(because) is goes_on


def test_a_run_is_known_by_the_marks_of_its_crawls() -> None:
    store = MemoryStore()

    def crawled(kind: CrawlKind, pages: int, run: int = 0) -> None:
        settings = {"run": {"number": run, "pages": 100}} if run else {}
        crawl = store.crawls.start(kind, "test", settings, 0.0)
        store.commit(Batch(crawl=crawl.id, at=0.0, progress=Progress(pages=pages)))

    with closing(store):
        assert (account_of(store).pages, account_of(store).left) == (0, None)
        crawled(CrawlKind.CRAWL, 500)
        crawled(CrawlKind.TRAIN, 7)
        assert account_of(store).pages == 0
        crawled(CrawlKind.TRAIN, 10, run=1)
        assert account_of(store, fresh=True).mark == RunMark(1, 100), "it has not got further than training"
        crawled(CrawlKind.LEARN, 20, run=1)
        assert (account_of(store).pages, account_of(store).left) == (30, 70)
        assert account_of(store, RunBudget(pages=50)).left == 20
        assert account_of(store, RunBudget(pages=20)).left == 0
        new = account_of(store, RunBudget(pages=60), fresh=True)
        assert (new.mark, new.pages, new.left) == (RunMark(2, 60), 0, 60)
        crawled(CrawlKind.HARVEST, 40)
        assert (account_of(store).pages, account_of(store).left) == (40, None), "one begun by itself counts alone"
        crawled(CrawlKind.TRAIN, 5, run=2)
        assert account_of(store).pages == 5

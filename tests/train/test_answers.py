"""What answers teach: estimated on answers that did not, applied where it helps, and taken back."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from tests.cli.shapes import check_shape
from tests.train.made import page, row
from thresher.api.portal import Portal
from thresher.classify.adaptation import adapted
from thresher.classify.examples_file import TrainingSet, load_training_set
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.cli.main import call
from thresher.config.load import load
from thresher.errors import InputError
from thresher.models import save_model, used_model, write_model
from thresher.portals import create_portal
from thresher.store.decisions import DecisionKind, DecisionRow, LessonRow, LessonState
from thresher.store.model_files import model_path, pricing_file
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.store.repository import open_store
from thresher.taxonomy.topics_file import read_topics
from thresher.train.answers import AT_ONCE, Answer, contradictions, learn_from
from thresher.train.lessons import apply, estimate, take_back
from thresher.train.retraining import retrain_portal
from thresher.types import Judgement, ParsedPage
from thresher.web.urls import url_id
from thresher.work_steps import StepProgress, WorkStep

BOATS = ["boat", "sail", "mast", "keel", "wind", "harbour", "rudder", "hull", "crew", "tide", "anchor", "port"]
TEA = ["tea", "leaf", "kettle", "cup", "milk", "pot", "brew", "steep", "sugar", "spoon"]
KITS = ["plywood", "glue", "scale", "kit", "hobby", "shelf", "paint", "brush", "instructions", "miniature"]
TOPICS = read_topics(
    '[[topic]]\npath = "Boats"\npages = ["http://b0.test/"]\n[[topic]]\npath = "Tea"\npages = ["http://t0.test/"]'
)


def text(words: list[str], seed: str, number: int = 9) -> str:
    return " ".join(Random(seed).choices(words, k=number) + words[:4])


def examples() -> list[tuple[ParsedPage, str | None]]:
    boats = [(page(text(BOATS, f"b{n}"), f"http://b{n}.test/"), "Boats") for n in range(5)]
    return [*boats, *((page(text(TEA, f"t{n}"), f"http://t{n}.test/"), "Tea") for n in range(5))]


def kit(number: int) -> str:
    """Return a page about model ships: it has many words of boats, and is about something else."""
    return f"{text(BOATS, f'k{number}', 6)} {text(KITS, f'q{number}', 10)}"


def answers(labels: dict[str, str | None]) -> list[Answer]:
    found = [Answer(page(kit(n), f"http://kit{n}.test/"), labels.get("kit"), "Boats") for n in range(10)]
    found += [Answer(page(text(BOATS, f"m{n}"), f"http://more{n}.test/"), "Boats", "Boats") for n in range(6)]
    return found


@pytest.fixture(scope="module")
def used() -> HierarchicalClassifier:
    return HierarchicalClassifier().fit(examples())


MET = [page(text(TEA + BOATS[:2], f"x{n}"), f"http://met{n}.test/") for n in range(12)]


def test_answers_move_similar_pages_and_no_others(used: HierarchicalClassifier) -> None:
    given, told = answers({"kit": None}), list[StepProgress]()
    found = learn_from(given, used, told.append)
    assert found.before == sum(used.classify(one.page).topic == one.label for one in given), "as it is in use"
    estimating = [one.done for one in told if one.step is WorkStep.ESTIMATING]
    assert estimating == sorted(estimating)
    assert told[-1].step is WorkStep.LEARNING
    assert found.after > found.before
    assert found.teaching == list(range(len(given)))
    assert found.judge is not None
    unseen = [page(kit(n)) for n in range(50, 80)]
    assert all(used.classify(one).topic == "Boats" for one in unseen)
    assert sum(found.judge.classify(one).topic is None for one in unseen) > 2
    others = [page(text(words, f"o{n}", 20)) for words in (BOATS, TEA) for n in range(20)]
    same = sum(found.judge.classify(one).topic == used.classify(one).topic for one in others)
    assert same >= 36, "of 40"


def test_answers_that_make_things_worse_teach_nothing(used: HierarchicalClassifier) -> None:
    """A person who answers at random cannot be learnt from."""
    random = Random(7)
    given = [Answer(one.page, random.choice(["Boats", "Tea", None]), "Boats") for one in answers({"kit": None})]
    found = learn_from(given, used)
    assert found.after <= found.before + 1
    assert found.judge is None
    assert found.teaching == []
    assert not any(effect.teaches for effect in found.topics)


def test_contradictory_answers_are_found() -> None:
    labels = {"http://a.test/": "Boats", "http://b.test/": None}
    same = [Answer(page(kit(1), url), label, "Boats") for url, label in labels.items()]
    other = Answer(page(text(TEA, "1"), "http://c.test/"), None, "Tea")
    sure = Judgement(topic="Tea", confidence=3.0, probability=0.99)
    unsure = Judgement(topic=None, confidence=-1.0, probability=0.2)
    assert contradictions([*same, other], [unsure, unsure, unsure]) == [0, 1]
    many = [same[0], *[other] * AT_ONCE, same[1]]
    assert contradictions(many, [unsure] * len(many)) == [0, len(many) - 1], "also where they are far apart"
    wordless = [Answer(page("", url), label, "Boats") for url, label in labels.items()]
    assert contradictions(wordless, [unsure, unsure]) == []
    assert contradictions([other], [sure]) == [0]
    assert contradictions([other], [unsure]) == []


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    create_portal(tmp_path / "p", topics=TOPICS)
    return tmp_path / "p"


@pytest.fixture
def store(portal: Path, used: HierarchicalClassifier) -> Iterator[Store]:
    with closing(open_store(portal)) as opened:
        crawl = opened.crawls.start("harvest", "default", {}, 0.0)
        pages = {f"http://kit{n}.test/": kit(n) for n in range(14)}
        pages |= {f"http://more{n}.test/": text(BOATS, f"m{n}") for n in range(6)}
        rows = [row(url, body, judgement=used.classify(page(body))) for url, body in pages.items()]
        rows += [row(one.url, " ".join(one.words)) for one in MET]
        opened.commit(Batch(crawl=crawl.id, at=1.0, documents=rows))
        save_model(portal, opened, used, TrainingSet(examples(), right=used.right_), at=1.0)
        yield opened


def decide(store: Store, numbers: range) -> None:
    for n in numbers:
        url = f"http://kit{n}.test/"
        shown = store.documents.judgement(url_id(url)).topic
        row_ = DecisionRow(page=url_id(url), url=url, kind=DecisionKind.IRRELEVANT, at=2.0, shown=shown)
        store.decisions.add(row_)
    for n in range(4):
        url = f"http://more{n}.test/"
        kind = DecisionKind.RIGHT
        store.decisions.add(DecisionRow(page=url_id(url), url=url, kind=kind, at=2.0, shown="Boats", topic="Boats"))


def priced(portal: Path, store: Store) -> bytes:
    """Return the classifier that scores links."""
    return pricing_file(Path(model_path(portal, used_model(portal, store).file))).read_bytes()


def topic(store: Store, number: int) -> str | None:
    return store.documents.judgement(url_id(f"http://kit{number}.test/")).topic


def ready(portal: Path, store: Store, *urls: str) -> LessonRow:
    """Return a lesson about some pages of boats, estimated for the classifier in use."""
    based_on = used_model(portal, store)
    base = HierarchicalClassifier.load(Path(model_path(portal, based_on.file)))
    judge = adapted(base, [(page(text(BOATS, url), url), "Boats") for url in urls])
    report = {
        "yes": [[url, "Boats"] for url in urls],
        "answers": len(urls),
        "based_on": based_on.file,
        "step": based_on.step,
        "file": write_model(portal, judge, TrainingSet(examples()), "", base),
        "version": judge.version_,
    }
    return store.lessons.put(LessonRow(at=2.0, state=LessonState.READY, report=report))


def test_taking_a_lesson_back_takes_back_later_ones(portal: Path, store: Store) -> None:
    settings, used = load(portal).settings, store.models.newest()
    first, second, third = (f"http://more{n}.test/" for n in range(3))
    one = apply(portal, store, settings, ready(portal, store, first, second), 3.0)
    after_one = store.models.newest()
    two = apply(portal, store, settings, ready(portal, store, first, third), 4.0)
    take_back(portal, store, settings, two, 5.0)
    assert store.models.newest() == after_one, "the first lesson still holds"
    apply(portal, store, settings, ready(portal, store, first, third, second), 6.0)
    take_back(portal, store, settings, one, 7.0)
    assert store.models.newest() == used
    assert {row.state for row in store.lessons.all()} == {LessonState.UNDONE}
    assert store.archetypes.all() == []


@pytest.mark.slow
def test_a_lesson_is_shown_applied_kept_by_later_rounds_and_taken_back(portal: Path, store: Store) -> None:
    settings = load(portal).settings
    with pytest.raises(InputError):
        estimate(portal, store, LessonRow(at=1.0, state=LessonState.WANTED))
    decide(store, range(10))
    assert topic(store, 12) == "Boats"
    lesson = estimate(portal, store, LessonRow(at=3.0, state=LessonState.WANTED))
    assert lesson.state is LessonState.READY
    assert lesson.report["after"] > lesson.report["before"]
    moved = [url for url, _, before, now in lesson.report["pages"] if (before, now) == ("Boats", None)]
    assert moved
    assert len(lesson.report["pages"]) == lesson.report["moved"]
    assert topic(store, 12) == "Boats", "nothing is applied before a person says so"
    used = store.models.newest()
    assert used is not None

    apply(portal, store, settings, lesson, 4.0)
    assert [store.documents.judgement(url_id(url)).topic for url in moved] == [None] * len(moved)
    assert priced(portal, store) == Path(model_path(portal, used.file)).read_bytes(), "links are scored as before"
    assert store.archetypes.all() == []

    again = estimate(portal, store, LessonRow(at=4.5, state=LessonState.WANTED))
    assert again.report["before"] == lesson.report["before"], "compared with the classifier that had no answers"

    retrain_portal(portal, store, settings, 5.0)
    base = HierarchicalClassifier.from_bytes(priced(portal, store))
    judge = HierarchicalClassifier.load(Path(model_path(portal, used_model(portal, store).file)))
    kits = [page(kit(n)) for n in range(50, 80)]
    assert sum(judge.classify(one).topic == "Boats" for one in kits) < sum(
        base.classify(one).topic == "Boats" for one in kits
    ), "a later round keeps what the answers taught"
    held = load_training_set(Path(model_path(portal, used_model(portal, store).file)))
    assert not any("kit" in one.url for one, _ in held.all())

    applied = next(row for row in store.lessons.all() if row.state is LessonState.APPLIED)
    taken = take_back(portal, store, settings, applied, 6.0)
    assert taken.state is LessonState.UNDONE
    assert store.models.newest() == used
    assert [topic(store, n) for n in range(10, 14)] == ["Boats"] * 4
    assert topic(store, 3) is None, "a decision settles its own page whatever happens to lessons"
    with pytest.raises(InputError):
        take_back(portal, store, settings, taken, 7.0)


def test_a_lesson_that_another_model_has_overtaken_is_not_applied(portal: Path, store: Store) -> None:
    settings = load(portal).settings
    lesson, other = ready(portal, store, "http://more0.test/"), ready(portal, store, "http://more1.test/")
    apply(portal, store, settings, other, 4.0)
    with pytest.raises(InputError, match="retrained since"):
        apply(portal, store, settings, lesson, 5.0)


def test_an_applied_lesson_is_not_estimated_again_and_undoing_finds_it(
    portal: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    applied = apply(portal, store, load(portal).settings, ready(portal, store, "http://more0.test/"), 4.0)
    with pytest.raises(InputError, match="already been applied"):
        estimate(portal, store, applied)
    newer = ready(portal, store, "http://more1.test/")
    assert repr(Portal.open(portal).answers.latest(applied.id)) == f"<lesson {applied.id}, applied>"
    assert call(["answers", str(portal), "undo", "--json"]) == 0
    check_shape(["answers"], json.loads(capsys.readouterr().out))
    states = {row.id: row.state for row in store.lessons.all()}
    assert states == {applied.id: LessonState.UNDONE, newer.id: LessonState.READY}
    with pytest.raises(InputError, match="already been applied"):
        estimate(portal, store, replace(applied, state=LessonState.UNDONE))

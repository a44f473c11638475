"""The lessons of a portal: estimates what review answers would change, applies and undoes it."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from msgspec.structs import asdict, replace

from thresher.classify.examples_file import load_training_set
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.config.settings import Settings
from thresher.errors import InputError, command
from thresher.learn.quality import wilson
from thresher.models import load_classifier, name_model, roll_back, used_model, write_model
from thresher.store.decisions import DecisionRow, LessonRow, LessonState
from thresher.store.locks import CrawlLock, holder
from thresher.store.model_files import model_path, pricing_file
from thresher.store.protocol import Store
from thresher.train.answers import FEWEST, Answer, Learnt, learn_from
from thresher.train.changed_topics import learnt_topics
from thresher.train.judging import REFUSED, YES
from thresher.train.reclassifying import reclassify
from thresher.train.surroundings import seen_page
from thresher.types import ParsedPage
from thresher.web.urls import url_id
from thresher.work_faults import AnswersChangeNothing, FewAnswers, LessonOutdated, NothingToUndo
from thresher.work_steps import OnStep, StepProgress, WorkStep, nobody

LOOKED_AT: Final = 20_000
"""Maximum number of stored pages to judge when counting moves."""

SHOWN: Final = 50
"""Maximum number of moved pages named in the report."""


def standing(store: Store) -> list[DecisionRow]:
    """Return the decisions that settle pages, oldest first."""
    newest: dict[int, DecisionRow] = {}
    for row in store.decisions.all():
        if row.undone is None and row.kind.judges:
            newest.setdefault(row.page, row)
    return sorted(newest.values(), key=lambda row: row.id)


def answers_of(store: Store, classifier: HierarchicalClassifier) -> list[tuple[DecisionRow, Answer]]:
    """Return the decisions that can teach: about pages with words, of topics that the classifier knows."""
    found: list[tuple[DecisionRow, Answer]] = []
    for row in standing(store):
        document = store.documents.document(row.page)
        if document is None or not document.terms or document.opt_outs:
            continue
        if row.topic is not None and classifier.child(row.topic) is None:
            continue
        page = seen_page(store, document, classifier.parameters)
        asked = row.shown or row.topic or _nearest(classifier, page)
        if asked:
            found.append((row, Answer(page, row.topic, asked)))
    return found


def _nearest(classifier: HierarchicalClassifier, page: ParsedPage) -> str:
    judged = classifier.classify(page)
    return judged.topic or (judged.rejection.topic if judged.rejection else "")


def estimate(portal: Path, store: Store, lesson: LessonRow, on_step: OnStep = nobody) -> LessonRow:
    """Estimate what the answers would change, store it with the lesson, and return the lesson; nothing is applied.

    Raises InputError if the lesson was already applied, if there are too few answers, or if the portal is untrained.
    """
    if lesson.state in (LessonState.APPLIED, LessonState.UNDONE):
        raise InputError("This lesson has already been applied.", "Estimate again, without --lesson.", LessonOutdated())
    based_on = used_model(portal, store)
    base = _without_answers(Path(model_path(portal, based_on.file)))
    training_set = load_training_set(Path(model_path(portal, based_on.file)))
    taught = {(page.url, label) for page, label in training_set.all()}
    decided = [one for one in answers_of(store, base) if (one[0].url, one[1].label) not in taught]
    if len(decided) < FEWEST:
        raise InputError(
            f"There are {len(decided)} answers to learn from; {FEWEST} are needed.",
            "Decide about more pages.",
            FewAnswers(n=len(decided), needed=FEWEST),
        )
    learnt = learn_from([answer for _, answer in decided], base, on_step)
    report = _told(learnt, [row for row, _ in decided]) | {"based_on": based_on.file, "step": based_on.step}
    if learnt.judge is not None:
        topics = learnt_topics(portal, based_on.file)
        report["file"] = write_model(portal, learnt.judge, training_set, topics, base)
        report["version"] = learnt.judge.version_
        report |= _moves(store, learnt.judge, on_step)
    return store.lessons.put(replace(lesson, state=LessonState.READY, pid=0, report=report))


def _without_answers(model: Path) -> HierarchicalClassifier:
    """Return the classifier of a model file before it was adapted to answers, if it was: the one that scores links."""
    pricing = pricing_file(model)
    return HierarchicalClassifier.load(pricing if pricing.exists() else model)


def _told(learnt: Learnt, rows: list[DecisionRow]) -> dict[str, Any]:
    """Return what was learned as data."""
    taught = [rows[place] for place in learnt.teaching]
    return {
        "answers": learnt.answers,
        "last": rows[-1].id,
        "before": learnt.before / learnt.answers,
        "after": learnt.after / learnt.answers,
        "interval": list(wilson(learnt.after, learnt.answers)),
        "topics": [asdict(effect) for effect in learnt.topics],
        YES: [[row.url, row.topic] for row in taught if row.topic is not None],
        REFUSED: [row.url for row in taught if row.topic is None],
        "again": [rows[place].page for place in learnt.again],
        "moved": 0,
        "moves": [],
        "pages": [],
    }


def _moves(store: Store, judge: HierarchicalClassifier, on_step: OnStep) -> dict[str, Any]:
    """Return how many undecided pages a classifier would move, from where to where, and some of them."""
    counted: Counter[tuple[str | None, str | None]] = Counter()
    shown: list[list[str | None]] = []
    looked, total = 0, min(sum(1 for _ in store.documents.urls()), LOOKED_AT)
    for url, title, before, now in _judged(store, judge):
        looked += 1
        on_step(StepProgress(WorkStep.JUDGING, looked, total))
        if before != now:
            counted[before, now] += 1
            if len(shown) < SHOWN:
                shown.append([url, title, before, now])
    moves = sorted(counted.items(), key=lambda move: (-move[1], str(move[0])))
    return {
        "looked_at": looked,
        "moved": sum(counted.values()),
        "moves": [[before, now, number] for (before, now), number in moves],
        "pages": shown,
    }


def _judged(store: Store, judge: HierarchicalClassifier) -> Iterator[tuple[str, str, str | None, str | None]]:
    """Yield the URL, title, current topic and topic by another classifier of undecided pages."""
    settled = store.decisions.settled()
    for number, url in enumerate(store.documents.urls()):
        if number >= LOOKED_AT:
            return
        if url_id(url) in settled:
            continue
        document = store.documents.document(url_id(url))
        if document is not None:
            before = document.judgement.topic if document.judgement else None
            yield url, document.title, before, judge.classify(seen_page(store, document, judge.parameters)).topic


def apply(
    portal: Path, store: Store, settings: Settings, lesson: LessonRow, at: float, on_step: OnStep = nobody
) -> LessonRow:
    """Apply the classifier of a lesson and judge the stored pages with it, unless a running crawl will do that.

    Raises InputError if the lesson changes nothing, or if another classifier has been applied since.
    """
    report, again = lesson.report, command("answers", portal, "estimate")
    if lesson.state is not LessonState.READY or not report.get("file"):
        raise InputError(
            "The answers change nothing about other pages.", "Decide about more pages.", AnswersChangeNothing()
        )
    if used_model(portal, store).file != report["based_on"]:
        raise InputError(
            "The topics have been retrained since this estimate.", f"Estimate again: {again}", LessonOutdated()
        )
    told = {"answers": report["answers"], "before": report["based_on"]}
    name_model(store, report["version"], report["file"], told, at=at)
    applied = store.lessons.put(replace(lesson, state=LessonState.APPLIED, pid=0))
    judge_again(portal, store, settings, at, on_step)
    return applied


def take_back(
    portal: Path, store: Store, settings: Settings, lesson: LessonRow, at: float, on_step: OnStep = nobody
) -> LessonRow:
    """Undo a lesson and every lesson and classifier since, and judge the stored pages with the previous one.

    Raises InputError if the lesson was not applied.
    """
    if lesson.state is not LessonState.APPLIED:
        raise InputError("There is no lesson to undo.", "Apply one first.", NothingToUndo())
    roll_back(portal, store, lesson.report["step"])
    since = [
        row
        for row in store.lessons.all()
        if row.state is LessonState.APPLIED and row.id != lesson.id and row.report["step"] >= lesson.report["step"]
    ]
    for row in [*since, lesson]:
        undone = store.lessons.put(replace(row, state=LessonState.UNDONE, pid=0))
    judge_again(portal, store, settings, at, on_step)
    return undone


def judge_again(portal: Path, store: Store, settings: Settings, at: float, on_step: OnStep = nobody) -> None:
    """Judge all stored pages with the classifier in use; a running crawl does so itself when it ends."""
    if holder(portal) is None:
        total = sum(1 for _ in store.documents.urls())
        with CrawlLock(portal):
            reclassify(
                store,
                load_classifier(portal, store),
                lambda done: on_step(StepProgress(WorkStep.JUDGING, done, total)),
                at=at,
                preview=settings.reading.preview,
            )

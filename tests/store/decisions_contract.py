"""What every store must do with what people decide."""

from tests.store.rows import OTHER, THIRD, URL, document
from thresher.reasons import Unmet
from thresher.store.decisions import Decided, DecisionKind, DecisionRow, DeedRow, LessonRow, LessonState, NamedTopics
from thresher.store.page_records import ReviewState
from thresher.store.portal_records import ListOrder, PageSelection
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.types import Judgement, Rejection
from thresher.web.urls import url_id

ID, OTHER_ID, THIRD_ID = url_id(URL), url_id(OTHER), url_id(THIRD)


def judged(topic: str | None, confidence: float = 0.5, near: str = "cats") -> Judgement:
    rejection = None if topic else Rejection(rule=Unmet.BELOW_THRESHOLD, topic=near)
    return Judgement(topic=topic, confidence=confidence, probability=0.7, model="m", rejection=rejection)


def decision(url: str, kind: DecisionKind, topic: str | None, shown: str | None = "cats") -> DecisionRow:
    return DecisionRow(page=url_id(url), url=url, kind=kind, at=9.0, shown=shown, topic=topic, user=1)


class DecisionsContract:
    def test_decisions_are_taken_and_marked_together(self, store: Store, crawl: int) -> None:
        self.fill_undecided(store, crawl)
        rows = [decision(URL, DecisionKind.REMOVED, None), decision(OTHER, DecisionKind.IRRELEVANT, None)]
        numbers = store.decisions.add_all(rows)
        assert [store.decisions.get(number).kind for number in numbers] == [row.kind for row in rows]  # type: ignore[union-attr]
        assert list(store.documents.accepted()) == []
        assert {found.state for found in store.decisions.settled().values()} == {ReviewState.IRRELEVANT}
        store.decisions.mark_all([*numbers, 999], 7.0)
        assert {page.url for page in store.documents.accepted()} == {URL, OTHER}
        assert [row.undone for row in store.decisions.all()] == [7.0, 7.0]
        store.decisions.mark_all(numbers[:1], None)
        assert [page.url for page in store.documents.accepted()] == [OTHER]
        assert store.decisions.add_all([]) == []

    def fill_undecided(self, store: Store, crawl: int) -> None:
        pages = [document(URL, judgement=judged("cats")), document(OTHER, judgement=judged("cats", 0.2))]
        pages.append(document(THIRD, judgement=judged(None, -0.3)))
        store.commit(Batch(crawl=crawl, at=1.0, documents=pages))

    def test_a_decision_settles_its_page_whatever_the_classifier_says_later(self, store: Store, crawl: int) -> None:
        self.fill_undecided(store, crawl)
        before = store.log.last()
        store.decisions.add(decision(URL, DecisionKind.MOVED, "dogs/big"))
        store.decisions.add(decision(OTHER, DecisionKind.IRRELEVANT, None))
        assert store.log.last() > before
        again = [document(URL, judgement=judged("cats")), document(OTHER, judgement=judged("cats"))]
        store.commit(Batch(crawl=crawl, at=2.0, documents=again))
        store.commit(Batch(crawl=crawl, at=3.0, judgements={ID: judged("cats", 2.0), OTHER_ID: judged("cats", 2.0)}))
        found = store.documents.judgement(ID)
        assert found is not None
        assert (found.topic, found.path, found.probability, found.confidence) == ("dogs/big", ("dogs", "big"), 1.0, 2.0)
        assert [page.url for page in store.documents.accepted()] == [URL]
        assert next(store.documents.accepted("dogs")).state is ReviewState.MOVED
        assert store.catalogue.ids(PageSelection(), ListOrder.BEST, 9) == [ID]
        assert store.catalogue.pages([ID])[ID].state is ReviewState.MOVED
        states = {page.id: (page.state, page.topic) for block in store.search_feed.pages(0) for page in block}
        assert states[ID] == ("moved", "dogs/big")
        assert states[OTHER_ID] == ("irrelevant", None)
        assert store.decisions.settled() == {
            ID: Decided("dogs/big", ReviewState.MOVED),
            OTHER_ID: Decided(None, ReviewState.IRRELEVANT),
        }
        assert store.decisions.settled([ID, THIRD_ID]) == {ID: Decided("dogs/big", ReviewState.MOVED)}

    def test_undoing_brings_back_the_decision_before_and_then_the_classifier(self, store: Store, crawl: int) -> None:
        self.fill_undecided(store, crawl)
        first = store.decisions.add(decision(URL, DecisionKind.RIGHT, "cats"))
        second = store.decisions.add(decision(URL, DecisionKind.IRRELEVANT, None))
        store.decisions.add(decision(URL, DecisionKind.LATER, None))
        assert store.documents.judgement(ID).topic is None
        undone = store.decisions.undo(second, 10.0)
        assert undone is not None
        assert undone.undone == 10.0
        assert store.documents.judgement(ID).topic == "cats"
        assert store.decisions.settled([ID])[ID].state is ReviewState.RIGHT
        store.decisions.undo(first, 11.0)
        assert store.decisions.settled() == {}
        assert store.documents.judgement(ID) == judged("cats")
        assert store.catalogue.pages([ID])[ID].state is ReviewState.UNREVIEWED
        assert store.decisions.redo(second).undone is None
        assert store.documents.judgement(ID).topic is None
        assert store.decisions.undo(99, 1.0) is None
        assert store.decisions.redo(99) is None
        assert store.decisions.get(99) is None
        assert [row.id for row in store.decisions.of_page(ID)] == [1, 2, 3]
        assert [row.id for row in store.decisions.all(2)] == [3, 2]
        assert [row.id for row in store.decisions.all(2, 2)] == [1]
        assert store.decisions.count() == 3

    def test_doubtful_pages_are_those_nobody_decided_about(self, store: Store, crawl: int) -> None:
        self.fill_undecided(store, crawl)
        assert [doubt.id for doubt in store.decisions.doubtful(["cats", "dogs"], 9)] == [OTHER_ID, ID]
        assert [doubt.id for doubt in store.decisions.doubtful(["cats"], 1)] == [OTHER_ID]
        (near,) = store.decisions.nearly_accepted(9)
        assert (near.id, near.topic, near.accepted, near.confidence) == (THIRD_ID, "cats", False, -0.3)
        store.decisions.add(decision(OTHER, DecisionKind.RIGHT, "cats"))
        store.decisions.add(decision(THIRD, DecisionKind.RIGHT, "cats", shown=None))
        assert [doubt.id for doubt in store.decisions.doubtful(["cats"], 9)] == [ID]
        assert store.decisions.nearly_accepted(9) == []
        assert store.decisions.settled([THIRD_ID])[THIRD_ID].state is ReviewState.MOVED

    def test_decisions_follow_a_topic_and_name_the_old_one_again(self, store: Store, crawl: int) -> None:
        self.fill_undecided(store, crawl)
        moved = store.decisions.add(decision(URL, DecisionKind.MOVED, "dogs"))
        right = store.decisions.add(decision(OTHER, DecisionKind.RIGHT, "dogs", shown="dogs"))
        before = store.decisions.rename("cats", "dogs")
        assert before == [NamedTopics(moved, "cats", "dogs")]
        assert store.decisions.settled()[ID] == Decided("dogs", ReviewState.RIGHT)
        store.decisions.restore([*before, NamedTopics(99, "cats", "cats")])
        assert store.decisions.settled()[ID] == Decided("dogs", ReviewState.MOVED)
        assert store.decisions.settled()[OTHER_ID] == Decided("dogs", ReviewState.RIGHT)
        assert store.decisions.rename("dogs", "pets", [right]) == [NamedTopics(right, "dogs", "dogs")]
        assert store.documents.judgement(OTHER_ID).topic == "pets"
        assert store.documents.judgement(ID).topic == "dogs"

    def test_lessons_and_deeds_are_kept(self, store: Store) -> None:
        lesson = store.lessons.put(LessonRow(at=1.0, state=LessonState.WANTED))
        assert store.lessons.get(lesson.id) == lesson
        ready = LessonRow(id=lesson.id, at=1.0, state=LessonState.READY, report={"moved": 3, "moves": [["a", None, 2]]})
        assert store.lessons.put(ready) == ready
        assert store.lessons.all() == [ready]
        assert store.lessons.get(9) is None
        claimed = LessonRow(id=lesson.id, at=1.0, state=LessonState.READY, pid=7, report={"moved": 3})
        assert store.lessons.swap(ready, claimed)
        assert not store.lessons.swap(ready, ready), "another process has claimed it"
        assert store.lessons.all() == [claimed]
        assert not store.lessons.swap(LessonRow(id=9, at=1.0, state=LessonState.READY), claimed)
        number = store.deeds.add(DeedRow(kind="topics", about="cats", before="a", after="b", at=1.0))
        store.deeds.add(DeedRow(kind="settings", about="x", before="", after="", at=2.0, user=3))
        assert [row.kind for row in store.deeds.all()] == ["settings", "topics"]
        assert [row.id for row in store.deeds.all(["topics"])] == [number]
        store.deeds.undone(number, 5.0)
        assert store.deeds.get(number).undone == 5.0
        store.deeds.undone(number, None)
        assert store.deeds.get(number).undone is None
        assert store.deeds.get(77) is None

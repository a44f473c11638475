"""What every store must do for the steps that move pages after a crawl."""

import math
from itertools import permutations

import pytest
from msgspec.structs import replace

from tests.store.rows import OTHER, THIRD, URL, document
from thresher.store.decisions import DecisionKind, DecisionRow
from thresher.store.organise_records import MISCELLANEOUS, PageMove, StepKind, StepRow
from thresher.store.portal_records import ListOrder, PageSelection
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.types import Judgement
from thresher.web.urls import url_id

ID, OTHER_ID, THIRD_ID = url_id(URL), url_id(OTHER), url_id(THIRD)
CATS = Judgement(
    topic="cats", confidence=0.5, probability=math.nan, path=("cats",), evidence=(("purr", 1.5),), model="m"
)
OUT = replace(CATS, topic=MISCELLANEOUS, path=(MISCELLANEOUS,))
STEP = StepRow(kind=StepKind.FILTER, at=7.0, topic="cats", detail={"loss": 0.5}, hides=MISCELLANEOUS)


class OrganisingContract:
    def fill_cats(self, store: Store, crawl: int) -> None:
        pages = [document(URL, judgement=CATS), document(OTHER, judgement=CATS), document(THIRD)]
        store.commit(Batch(crawl=crawl, at=3.0, documents=pages))

    def test_a_step_moves_judged_pages_and_is_kept_with_its_moves(self, store: Store, crawl: int) -> None:
        self.fill_cats(store, crawl)
        before = store.log.last()
        step = store.organising.take(STEP, {ID: OUT, THIRD_ID: OUT, 12345: OUT})
        assert step == replace(STEP, id=step.id, pages=1)
        assert store.organising.steps() == [step]
        assert store.organising.moves(step.id) == [PageMove(ID, "cats", MISCELLANEOUS)]
        assert store.organising.of_page(ID) == [(step, PageMove(ID, "cats", MISCELLANEOUS))]
        assert store.organising.of_page(OTHER_ID) == []
        judged = store.documents.judgement(ID)
        assert judged is not None
        assert (judged.topic, judged.path, judged.confidence) == (MISCELLANEOUS, (MISCELLANEOUS,), 0.5)
        assert [url for _, url in store.log.documents_since(before)] == [URL]

    def test_what_a_step_hides_is_out_of_sight_unless_it_is_asked_for(self, store: Store, crawl: int) -> None:
        self.fill_cats(store, crawl)
        step = store.organising.take(STEP, {ID: OUT})
        assert store.organising.hidden() == [MISCELLANEOUS]
        assert [page.url for page in store.documents.accepted()] == [OTHER]
        assert store.documents.count_accepted() == 1
        assert [page.url for page in store.documents.accepted(MISCELLANEOUS)] == [URL]
        assert store.catalogue.ids(PageSelection(), ListOrder.BEST, 9) == [OTHER_ID]
        assert store.catalogue.ids(PageSelection(host="a.test"), ListOrder.NEWEST, 9) == [OTHER_ID]
        assert store.catalogue.ids(PageSelection(topics=(MISCELLANEOUS,)), ListOrder.BEST, 9) == [ID]
        assert [site.topic for site in store.catalogue.sites(0.0)] == ["cats"]
        store.organising.undo(step.id, 8.0)
        assert store.organising.hidden() == []
        assert store.documents.count_accepted() == 2

    def test_a_topic_of_that_name_that_no_step_made_is_not_hidden(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=3.0, documents=[document(URL, judgement=OUT)]))
        assert store.documents.count_accepted() == 1
        assert store.catalogue.ids(PageSelection(), ListOrder.BEST, 9) == [ID]

    def test_undoing_gives_back_what_was_there_and_only_once(self, store: Store, crawl: int) -> None:
        self.fill_cats(store, crawl)
        step = store.organising.take(STEP, {ID: OUT, OTHER_ID: OUT})
        again = replace(CATS, topic="dogs", path=("dogs",))
        store.commit(Batch(crawl=crawl, at=4.0, judgements={OTHER_ID: again}))
        before = store.log.last()
        assert store.organising.undo(step.id, 8.0) == [ID]
        assert [url for _, url in store.log.documents_since(before)] == [URL]
        judged, other = store.documents.judgement(ID), store.documents.judgement(OTHER_ID)
        assert judged is not None
        assert math.isnan(judged.probability)
        assert replace(judged, probability=0.0) == replace(CATS, probability=0.0)
        assert other is not None
        assert other.topic == "dogs"
        assert [one.undone for one in store.organising.steps()] == [8.0]
        assert store.organising.of_page(ID) == []
        assert store.organising.undo(step.id, 9.0) == []
        assert store.organising.undo(99, 9.0) == []

    @pytest.mark.parametrize("order", list(permutations(range(3))))
    def test_steps_on_one_page_are_undone_in_any_order(self, store: Store, crawl: int, order: tuple[int, ...]) -> None:
        """While steps stand, the page is where the last of them put it; afterwards it is where it was."""
        self.fill_cats(store, crawl)
        topics = ["cats/big", MISCELLANEOUS, "cats/big"]
        steps = [store.organising.take(STEP, {ID: replace(CATS, topic=topic)}) for topic in topics]
        standing = [0, 1, 2]
        for number in order:
            shown = standing[-1] == number
            standing.remove(number)
            assert store.organising.undo(steps[number].id, 8.0) == ([ID] if shown else [])
            judged = store.documents.judgement(ID)
            assert judged is not None
            assert judged.topic == (topics[standing[-1]] if standing else "cats")

    def test_an_empty_step_is_a_step(self, store: Store, crawl: int) -> None:
        before = store.log.last()
        step = store.organising.take(STEP, {})
        assert store.log.last() > before
        assert (step.pages, store.organising.moves(step.id), store.organising.moves(99)) == (0, [], [])

    def test_what_a_person_has_settled_stays_so(self, store: Store, crawl: int) -> None:
        self.fill_cats(store, crawl)
        step = store.organising.take(STEP, {ID: OUT})
        settled = DecisionRow(at=8.0, page=ID, url=URL, kind=DecisionKind.MOVED, shown=MISCELLANEOUS, topic="dogs")
        store.decisions.add(settled)
        store.organising.undo(step.id, 9.0)
        assert [page.url for page in store.documents.accepted("dogs")] == [URL]
        store.organising.take(STEP, {ID: OUT})
        assert [page.url for page in store.documents.accepted("dogs")] == [URL]

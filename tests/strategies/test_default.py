"""The default scorer: what it starts from, what it learns, when it gives up, and that a kill costs it nothing."""

import json
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies.examples import Examples, examples_of
from tests.strategies.following import EmptyView, followed
from thresher.classify.flat import FlatClassifier
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.documents import read
from thresher.plugins import make_strategy
from thresher.protocols import Explains, Learns, Merges, Remembers, ReordersAtItsPace
from thresher.simulate import simulate
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.explain import explain
from thresher.store.explanation_data import explanation_data
from thresher.store.memory import MemoryStore
from thresher.store.records import Batch
from thresher.strategies.calibration_watch import CalibrationWatch
from thresher.strategies.hubs import Hubs
from thresher.strategies.inlink_evidence import MOST_TOKENS, PARENTS, InlinkEvidence
from thresher.strategies.learned import START, LearnedScorer, number_of
from thresher.strategies.link_evidence import TOKENS, evidence, spans_of
from thresher.strategies.memos import Memos
from thresher.strategies.token_model import TokenModel
from thresher.types import MEMO_BYTES, Candidate, Copy, Judgement, ParsedPage, Reading
from thresher.web.urls import url_id

YES = Judgement(topic="boats", confidence=0.9, probability=0.95)
NO = Judgement(topic=None, confidence=-0.9, probability=0.05)
MEMOS = Memos(InlinkEvidence)


def evidence_of(candidate: Candidate) -> InlinkEvidence:
    known = MEMOS.of(candidate)
    assert known is not None
    return known


def words_page(text: str) -> ParsedPage:
    return ParsedPage(url="", title="", words=[], links=[], terms=dict.fromkeys(text.split(), 1))


BOATS: Examples = [(words_page(f"boat sail wind {extra}"), "Boats") for extra in ("sea", "mast")]
CARS: Examples = [(words_page(f"car road wheel {extra}"), None) for extra in ("fuel", "brake")]


class Undecided:
    """A classifier that tells nothing apart."""

    def relevance(self, bags: Sequence[Mapping[str, int]]) -> list[float]:
        return [0.4] * len(bags)


class Best(EmptyView):
    """A view in which some candidates wait."""

    def __init__(self, waiting: list[Candidate]) -> None:
        self._waiting = waiting

    def best(self, limit: int) -> list[Candidate]:
        return self._waiting[:limit]


def page_of(*anchors: str, url: str = "http://a.test/") -> ParsedPage:
    links = ". Far from it, another line of text that says nothing. ".join(
        f"<a href='/{anchor.replace(' ', '-')}'>{anchor}</a>" for anchor in anchors
    )
    return read(f"<p>{links}.".encode(), "text/html", url)


def scorer(classifier: object = None, **parameters: float) -> LearnedScorer:
    made = LearnedScorer(explore=0.0, **parameters)  # type: ignore[arg-type]
    made.consult(classifier or Undecided())  # type: ignore[arg-type]
    return made


def test_it_has_the_abilities_it_needs() -> None:
    for ability in (Learns, Merges, Remembers, ReordersAtItsPace, Explains):
        assert isinstance(LearnedScorer(), ability)


def test_knowing_nothing_it_orders_links_as_the_classifier_does() -> None:
    classifier = FlatClassifier().fit(BOATS + CARS)
    page = page_of("boat sail", "car wheel", "nothing")
    prices = [child.priority[0] for child in followed(scorer(classifier), page, NO)]
    assert prices[0] > prices[2] > prices[1]


def test_all_windows_at_once_are_what_bags_say() -> None:
    classifier = FlatClassifier().fit(BOATS + CARS)
    page = page_of("boat sail", "car wheel")

    class BagsAlone:
        relevance = staticmethod(classifier.relevance)

    fast = evidence(page, NO, classifier, spans_of(classifier))
    slow = evidence(page, NO, classifier, spans_of(BagsAlone()))
    for quick, careful in zip(fast, slow, strict=True):
        assert (quick.value, quick.fixed) == pytest.approx((careful.value, careful.fixed), abs=0.2)
        assert (quick.topic, quick.tokens) == (careful.topic, careful.tokens)


def test_each_topic_has_a_queue() -> None:
    cars = [(page, "Cars") for page, _ in CARS]
    strategy = scorer(HierarchicalClassifier().fit([*BOATS, *cars]))
    assert [child.queue for child in followed(strategy, page_of("boat sail", "car wheel"))] == ["Boats", "Cars"]


def tree(*tops: str) -> HierarchicalClassifier:
    """Return a classifier of some topics, of which boats have two below them."""
    boats = [
        (words_page(f"boat wind {kind} {extra}"), f"Boats/{name}")
        for kind, name in (("sail", "Yachts"), ("oar", "Rowing"))
        for extra in ("sea", "mast")
    ]
    cars = [(page, "Cars" if "Cars" in tops else None) for page, _ in CARS]
    return HierarchicalClassifier().fit([*boats, *cars])


def queues(strategy: LearnedScorer, judgement: Judgement | None, came_from: str = "") -> list[str]:
    page = page_of("boat wind", "car wheel")
    candidate = Candidate(url=page.url, priority=(1.0,), queue=came_from)
    return [child.queue for child in followed(strategy, page, judgement, candidate)]


YACHTS = msgspec.structs.replace(YES, topic="Boats/Yachts")


@pytest.mark.parametrize(
    ("judgement", "came_from", "expected"),
    [
        (YACHTS, "", ["Boats/Yachts", "Cars"]),
        (YACHTS, "Boats/Rowing", ["Boats/Yachts", "Cars"]),
        (NO, "Boats/Rowing", ["Boats/Rowing", "Cars"]),
        (NO, "", ["Boats", "Cars"]),
        (msgspec.structs.replace(YES, topic="Boats"), "Boats/Rowing", ["Boats", "Cars"]),
    ],
    ids=["found here", "found here after another", "behind a tunnel", "nowhere", "further up"],
)
def test_topics_further_down_have_queues_too(judgement: Judgement, came_from: str, expected: list[str]) -> None:
    assert queues(scorer(tree("Boats", "Cars")), judgement, came_from) == expected


def test_one_topic_at_the_top_needs_no_queue_but_those_below_it_do() -> None:
    strategy = scorer(tree("Boats"))
    assert queues(strategy, YACHTS) == ["Boats/Yachts"] * 2
    assert queues(strategy, NO) == queues(strategy, msgspec.structs.replace(YES, topic="Boats")) == ["", ""]
    assert queues(scorer(FlatClassifier().fit(BOATS + CARS)), msgspec.structs.replace(YES, topic="Boats")) == ["", ""]


def test_start_pages_come_first() -> None:
    root = Candidate(url="", priority=(), depth=-1)
    links = page_of("one").links
    assert [c.priority for c in scorer().rank(Reading(candidate=root, links=links), EmptyView())] == [(START,)]


def test_it_learns_the_words_of_links_that_led_to_the_topic() -> None:
    strategy = scorer(hubs=0.0)
    for number in range(60):
        good = number % 2 == 0
        anchor = f"regatta {number}" if good else f"garage {number}"
        (child,) = followed(strategy, page_of(anchor, url=f"http://a.test/{number}"))
        strategy.observe(child, YES if good else NO)
    regatta, garage = followed(strategy, page_of("regatta", "garage"))
    assert regatta.priority > garage.priority


def test_links_of_good_hubs_come_first_also_two_clicks_before_the_topic() -> None:
    strategy = scorer(rate=0.0)
    hubs = {name: Candidate(url=f"http://{name}.test/", priority=(1.0,)) for name in ("good", "bad")}
    for name, hub in hubs.items():
        strategy.observe(hub, NO)
        (tunnel,) = followed(strategy, page_of("tunnel", url=hub.url), NO)
        strategy.observe(tunnel, NO)
        for number in range(8):
            (child,) = followed(strategy, page_of(f"page {number}", url=tunnel.url), NO)
            strategy.observe(child, YES if name == "good" else NO)
    (through_good,) = followed(strategy, page_of("other", url="http://good.test/"), NO)
    (through_bad,) = followed(strategy, page_of("other", url="http://bad.test/"), NO)
    assert through_good.priority > through_bad.priority


def test_a_page_deep_in_the_tree_teaches_as_much_as_one_at_its_top() -> None:
    top = Judgement(topic="boats", confidence=0.9, probability=0.9, path=("boats",))
    deep = Judgement(topic="boats/sails", confidence=0.9, probability=0.81, path=("boats", "sails"))
    taught = []
    for judgement in (top, deep):
        strategy = scorer()
        for candidate in followed(strategy, page_of("fast sloop", "old lugger")):
            strategy.observe(candidate, judgement)
        taught.append(
            [price for candidate in followed(strategy, page_of("fast sloop")) for price in candidate.priority]
        )
    assert taught[1] == pytest.approx(taught[0])


def learnt(strategy: LearnedScorer) -> dict[str, object]:
    return {part: strategy.state()[part] for part in ("hubs", "words")}


def test_a_page_that_is_read_again_teaches_nothing_twice() -> None:
    strategy, heir = scorer(), scorer()
    for child in followed(strategy, page_of("one", "two", url="http://hub.test/first")):
        strategy.observe(child, YES)
    before = learnt(strategy)
    hub = page_of("one", "two", url="http://hub.test/")
    followed(strategy, hub, NO)
    after = learnt(strategy)
    assert after != before
    heir.restore(json.loads(json.dumps(strategy.state())))
    for again in (strategy, heir):
        followed(again, hub, NO)
        assert learnt(again) == after


def test_a_link_found_again_joins_the_evidence_of_both_pages() -> None:
    classifier = FlatClassifier().fit(BOATS + CARS)
    strategy = scorer(classifier)
    (first,) = followed(strategy, page_of("boat", url="http://a.test/1"), YES)
    (second,) = followed(strategy, page_of("boat", url="http://a.test/2"), NO)
    both = strategy.merge(first, second)
    assert evidence_of(both).links == 2
    assert evidence_of(both).parents == [number_of("http://a.test/1"), number_of("http://a.test/2")]
    assert strategy.merge(both, second) is both


def test_a_url_found_by_two_ways_shows_the_shorter_one_whole_and_keeps_the_queue_of_the_better_link() -> None:
    strategy = scorer(FlatClassifier().fit(BOATS + CARS))
    ((dull,), (good,)) = (
        followed(strategy, page_of(text, url=f"http://a.test/{n}")) for n, text in enumerate(("car", "boat"))
    )
    near = msgspec.structs.replace(dull, depth=1, queue="cars")
    far = msgspec.structs.replace(good, url=dull.url, depth=4, queue="boats")
    for both in (strategy.merge(near, far), strategy.merge(far, near)):
        assert (both.depth, both.parent, both.anchor, both.queue) == (1, "http://a.test/0", "car", "boats")
    far_too = msgspec.structs.replace(near, depth=4)
    assert strategy.merge(far_too, far).parent == far.parent


def test_waiting_links_are_priced_anew_when_the_model_has_moved() -> None:
    strategy = scorer()
    (waiting,) = followed(strategy, page_of("boat", url="http://hub.test/"), NO)
    assert list(strategy.reorder(Best([waiting]))) == []
    for number in range(10):
        (child,) = followed(strategy, page_of(f"page {number}", url="http://hub.test/"), NO)
        strategy.observe(child, YES)
        strategy.observe(Candidate(url=f"http://else.test/{number}", priority=(1.0,)), NO)
    ((url, price),) = strategy.reorder(Best([waiting]))
    assert url == waiting.url
    assert price > waiting.priority


@pytest.mark.parametrize(("queues", "each"), [(0, 2000), (1, 2000), (5, 400), (5000, 1)])
def test_the_queues_share_what_reordering_may_cost(queues: int, each: int) -> None:
    asked: list[int] = []

    class Queues(EmptyView):
        def waiting(self) -> dict[str, int]:
            return {f"topic {number}": 1 for number in range(queues)}

        def best(self, limit: int) -> list[Candidate]:
            asked.append(limit)
            return []

    assert list(scorer().reorder(Queues())) == []
    assert list(scorer(reprice=0).reorder(Queues())) == []
    assert asked == [each, 0]


def test_what_a_list_names_is_worth_the_mean_of_links_until_a_link_speaks_of_it() -> None:
    strategy = scorer(FlatClassifier().fit(BOATS + CARS))
    listing = Candidate(url="http://a.test/map.xml", priority=(START,), lists=1)
    named = page_of("car wheel").links
    (listed,) = strategy.rank(Reading(candidate=listing, links=named), EmptyView())
    assert listed.priority == (0.0,)
    (linked,) = followed(strategy, page_of("car wheel", url="http://a.test/1"), NO)
    assert list(strategy.reorder(Best([listed]))) == [
        (listed.url, (pytest.approx(evidence_of(linked).best, abs=1e-3),))
    ]
    assert linked.priority < listed.priority
    for both in (strategy.merge(listed, linked), strategy.merge(linked, listed)):
        assert both is linked, "a link that says little says more than a list"


def test_start_pages_and_pages_to_be_checked_again_keep_their_prices() -> None:
    strategy = scorer(FlatClassifier().fit(BOATS + CARS))
    (linked,) = followed(strategy, page_of("car wheel"), NO)
    start = Candidate(url=linked.url, priority=(START,))
    known = Candidate(url=linked.url, priority=(50.0,), copy=Copy(etag='"a"'))
    assert list(strategy.reorder(Best([start, known]))) == []
    for first in (start, known):
        assert strategy.merge(first, linked) is strategy.merge(linked, first) is first


def misled(strategy: LearnedScorer, pages: int) -> None:
    """Let what is learnt always point the wrong way: pages of a hub are good exactly until it has a name."""
    for number in range(pages):
        good = number // 4 % 2 == 0
        anchor = "boat sail" if good else "car wheel"
        # The words beside the anchor are those of the last lessons, with the other outcome.
        (child,) = followed(strategy, page_of(anchor, url="http://hub.test/"), NO)
        known = evidence_of(child)
        turned = MEMOS.write(msgspec.structs.replace(known, best=-known.best, total=-known.total))
        strategy.observe(msgspec.structs.replace(child, memo=turned), YES if good else NO)


def test_misled_it_falls_back_to_the_fixed_scorer_and_says_so() -> None:
    strategy = scorer(FlatClassifier().fit(BOATS + CARS))
    misled(strategy, 300)
    ((boat,), (car,)) = (followed(strategy, page_of(anchor), NO) for anchor in ("boat sail", "car wheel"))
    assert boat.priority == (evidence_of(boat).fixed,)
    assert boat.priority > car.priority
    assert "does not pay" in strategy.account(boat)[0][0]


def test_the_account_adds_up_to_the_price() -> None:
    strategy = scorer(FlatClassifier().fit(BOATS + CARS))
    for number in range(20):
        (child,) = followed(strategy, page_of(f"boat {number}", url=f"http://a.test/{number % 3}"), YES)
        strategy.observe(child, YES if number % 3 else NO)
    (child,) = followed(strategy, page_of("boat sail"), YES)
    assert sum(added for _, _, added in strategy.account(child)) == pytest.approx(child.priority[0])


def test_a_price_that_another_kind_of_strategy_has_set_is_not_accounted_for() -> None:
    strategy = scorer(FlatClassifier().fit(BOATS + CARS))
    foreign = '{"topic":"Boats","worth":0.5,"steps":1}'
    assert strategy.account(Candidate(url="http://a.test/", priority=(0.5,), memo=foreign)) == []


def test_a_price_without_links_is_that_of_a_start_page_or_the_mean_of_all_links() -> None:
    strategy = scorer(FlatClassifier().fit(BOATS + CARS))
    (child,) = followed(strategy, page_of("boat sail"), YES)
    start, listed = (Candidate(url="http://b.test/", priority=(price,), depth=1) for price in (START, -2.0))
    assert strategy.account(start) == [("start page", START, START)]
    assert [(feature, adds) for feature, _, adds in strategy.account(listed)] == [
        ("mean log-odds of all links", pytest.approx(evidence_of(child).best, abs=1e-4))
    ]


def test_exploration_lifts_a_small_share_of_urls_the_same_ones_every_time() -> None:
    strategy, same, other = (LearnedScorer(explore=0.05, seed=seed) for seed in (1, 1, 2))
    urls = [f"http://a.test/{number}" for number in range(2000)]
    drawn = [url for url in urls if strategy._drawn(url)]
    assert 50 < len(drawn) < 150
    assert drawn == [url for url in urls if same._drawn(url)]
    assert drawn != [url for url in urls if other._drawn(url)]


@pytest.fixture(scope="module")
def web() -> Web:
    return Web(WebParameters(pages=220, hosts=12, seed=3, profile="finite"))


def test_stopped_and_resumed_the_log_is_the_same_byte_for_byte(web: Web) -> None:
    examples = examples_of(web)

    def fetched(log: list[object]) -> list[str]:
        return [entry.url for entry in log if entry.kind == "fetched" and "robots.txt" not in entry.url]  # type: ignore[attr-defined]

    still = ["focus.patience=1", "focus.record=0", "focus.variety=0", "focus.discovery=0"]
    plain = ["engine.parallel=1", "manners.traps=false", *still]
    whole = simulate(web, "default(reorder_every=10)", pages=120, examples=examples, overrides=plain)
    store = MemoryStore()
    simulate(web, "default(reorder_every=10)", pages=60, store=store, examples=examples, overrides=plain)
    row = store.crawls.get()
    assert row is not None
    simulate(web, "default(reorder_every=10)", pages=120, store=store, crawl=row, examples=examples, overrides=plain)
    assert fetched(list(store.log.entries(0, row.id))) == fetched(whole.log())  # type: ignore[arg-type]


class Killed(Exception):
    """Stands for a kill: nothing is written from here on."""


class Mortal(MemoryStore):
    """A store of a process that is killed after so many commits."""

    commits = 4

    def commit(self, batch: Batch) -> int:
        self.commits -= 1
        if self.commits < 0:
            raise Killed
        return super().commit(batch)


@pytest.mark.parametrize("commits", [2, 7])
def test_after_a_kill_it_knows_every_stored_page_and_none_twice(web: Web, commits: int) -> None:
    examples = examples_of(web)
    plain = ["manners.traps=false", "engine.batch_pages=16", "focus.patience=1"]
    store = Mortal()
    store.commits = commits
    with pytest.raises((Killed, ExceptionGroup)):
        simulate(web, "default(reorder_every=10)", pages=150, store=store, examples=examples, overrides=plain)
    row = store.crawls.get()
    assert row is not None
    store.commits = 10**6
    simulate(web, "default(reorder_every=10)", pages=150, store=store, crawl=row, examples=examples, overrides=plain)
    saved = store.crawls.strategy_state(row.id)
    assert saved is not None
    state = saved[0]
    stored = [store.urls.rows(row.id, [url_id(url)])[url_id(url)] for url in store.documents.urls()]
    assert len(stored) == 150
    assert state["watch"]["pages"] == len([found for found in stored if found.candidate.memo])
    judged = LearnedScorer()
    judged.restore(state)
    assert all(judged._hubs.judgement(number_of(found.candidate.url)) is not None for found in stored)


def test_a_new_classifier_is_asked_from_now_on_and_what_was_learnt_stays() -> None:
    strategy = scorer(FlatClassifier().fit(BOATS + CARS), hubs=0.0)
    for number in range(60):
        good = number % 2 == 0
        (child,) = followed(
            strategy, page_of(f"{'regatta' if good else 'garage'} {number}", url=f"http://a.test/{number}")
        )
        strategy.observe(child, YES if good else NO)
    page = page_of("regatta", "garage", "boat sail", "tea leaf")
    before = [child.priority[0] for child in followed(strategy, page)]
    assert before[0] > before[1]
    assert before[2] > before[3]
    tea: Examples = [(words_page(f"tea leaf cup {extra}"), "Tea") for extra in ("milk", "pot")]
    strategy.consult(FlatClassifier().fit(tea + [(page, None) for page, _ in BOATS]))
    after = [child.priority[0] for child in followed(strategy, page)]
    assert after[0] > after[1], "words that were learnt count as before"
    assert after[3] > after[2], "the new classifier judges the rest"


def test_it_reorders_at_its_pace_and_prices_are_accounted_for(web: Web) -> None:
    done = simulate(web, "default(reorder_every=20;explore=0)", pages=100, examples=examples_of(web))
    assert sum(entry.kind == "reordered" for entry in done.log()) >= 4
    url = next(entry.url for entry in reversed(done.log()) if entry.kind == "fetched" and "robots" not in entry.url)
    told = explain(done.store, url, make=make_strategy)
    assert told is not None
    evidence_of, *others = [feature for feature, _, _ in told.account]
    assert "0.3 × 40 words around it + 0.5 × 10 words + 0.2 × anchor + 0.2 × page" in evidence_of
    assert others == [
        "log-odds of what the linking pages led to, relative to the mean",
        "log-odds of the words of its links, learned during the crawl",
        "exploration, at random",
    ]
    assert explanation_data(told)["account"][0]["adds"] == told.account[0][2]


def test_memory_is_bounded() -> None:
    hubs = Hubs(most=50)
    for number in range(1, 500):
        hubs.fetched(number, [max(1, number - 1)], 0.5)
    assert len(hubs.state()["judged"]) < 1500
    assert hubs.judgement(499) == 0.5
    assert hubs.judgement(1) is None


def test_memos_fit_however_many_pages_link_to_a_url() -> None:
    tokens = list(range(TOKENS - 12, TOKENS))
    known = InlinkEvidence.of_link(1.23456789, -20.0, 2**51, tokens)
    for parent in range(2**51 - 100, 2**51):
        known = known.joined(InlinkEvidence.of_link(29.123456, 1.0, parent, tokens))
    assert known.links == 101
    assert len(known.parents) == PARENTS
    assert len(known.tokens) <= MOST_TOKENS
    assert len(MEMOS.write(known)) <= MEMO_BYTES


def test_memos_of_stored_portals_are_understood() -> None:
    memo = '{"n":2,"s":2.0,"m":2.0,"w":1.5,"h":[7,8],"k":[5,6],"c":2}'
    known = evidence_of(Candidate(url="http://a.test/", priority=(), memo=memo))
    assert known == InlinkEvidence(2, 2.0, 2.0, 1.5, [7, 8], [5, 6], 2)
    assert MEMOS.write(known) == memo


numbers = st.floats(-30, 30)


@given(st.lists(numbers, min_size=1, max_size=20), numbers)
def test_evidence_lies_between_what_was_said(values: list[float], general: float) -> None:
    known = InlinkEvidence.of_link(values[0], values[0], 1, [])
    for parent, value in enumerate(values[1:], start=2):
        known = known.joined(InlinkEvidence.of_link(value, value, parent, []))
    low, high = min([*values, general]), max([*values, general])
    assert low - 1e-2 <= known.together(general) <= high + 1e-2


lessons = st.lists(
    st.tuples(st.lists(st.integers(0, TOKENS - 1), max_size=12), numbers, st.floats(0, 1)), min_size=1, max_size=40
)


@given(lessons, st.integers(0, 39))
def test_the_token_model_goes_on_exactly_from_its_state(taught: list[tuple[list[int], float, float]], cut: int) -> None:
    whole, first, second = TokenModel(), TokenModel(), TokenModel()
    for number, (tokens, known, target) in enumerate(taught):
        whole.learn(tokens, 1, known, target)
        if number < cut:
            first.learn(tokens, 1, known, target)
    second.restore(json.loads(json.dumps(first.state())))
    for tokens, known, target in taught[cut:]:
        second.learn(tokens, 1, known, target)
    assert second.state() == whole.state()
    assert np.isfinite([whole.score(tokens, 1) for tokens, _, _ in taught]).all()


@given(st.lists(st.tuples(numbers, numbers, st.floats(0, 1)), max_size=200))
def test_the_watch_stays_finite_and_goes_on_from_its_state(seen: list[tuple[float, float, float]]) -> None:
    watch = CalibrationWatch(patience=5)
    for learned, fixed, target in seen:
        watch.observe(learned, fixed, target)
    other = CalibrationWatch(patience=5)
    other.restore(json.loads(json.dumps(watch.state())))
    assert other.state() == watch.state()
    assert other.pays == watch.pays
    assert np.isfinite(watch.state()["charges"]).all()


def test_a_learned_price_that_foretells_as_well_as_the_fixed_one_is_kept() -> None:
    watch = CalibrationWatch()
    for number in range(400):
        value = 2.0 if number % 3 else -2.0
        watch.observe(value, value, 0.9 if number % 3 else 0.1)
    assert watch.pays


@pytest.mark.parametrize(
    "parameters",
    [
        {"hubs": -1},
        {"share": 1.0},
        {"rate": -0.1},
        {"explore": 2},
        {"reprice": -1},
        {"reorder_every": 0},
        {"remember": 2_000_000},
    ],
)
def test_misuse_is_refused(parameters: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must"):
        LearnedScorer(**parameters)  # type: ignore[arg-type]

"""The frontier against a naive model: whatever it gives is the best that could be had, and it never forgets."""

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from thresher.reasons import Reason
from thresher.shard.frontier import Frontier
from thresher.shard.hosts import HostTable
from thresher.shard.rules import Manners

HOSTS = ["a.one.test", "b.one.test", "c.one.test", "two.test", "three.test"]
QUEUES = ["", "x", "y"]


class FrontierMachine(RuleBasedStateMachine):
    """Adds, reprices, discards, takes and finishes at random, with a dictionary as the model."""

    def __init__(self) -> None:
        super().__init__()
        self.hosts = HostTable(Manners(per_host=2, per_domain=3, delay=0.0, max_failures=100))
        self.frontier = Frontier(self.hosts, bound=1000, bucket=1000)
        self.model: dict[int, tuple[str, str, float, int]] = {}
        self.active: list[str] = []
        self.now = 0.0
        self.order = 0

    @rule(host=st.sampled_from(HOSTS), queue=st.sampled_from(QUEUES), price=st.integers(0, 5))
    def add(self, host: str, queue: str, price: int) -> None:
        self.order += 1
        self.frontier.add(self.order, self.hosts.get(host), queue, (float(price),), self.order)
        self.model[self.order] = (host, queue, float(price), self.order)

    @precondition(lambda self: self.model)
    @rule(data=st.data(), price=st.integers(0, 5))
    def reprice(self, data: st.DataObject, price: int) -> None:
        url = data.draw(st.sampled_from(sorted(self.model)))
        assert self.frontier.reprice(url, (float(price),))
        host, queue, _, order = self.model[url]
        self.model[url] = (host, queue, float(price), order)

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def discard(self, data: st.DataObject) -> None:
        url = data.draw(st.sampled_from(sorted(self.model)))
        assert self.frontier.discard(url)
        del self.model[url]

    def open_now(self) -> dict[int, tuple[str, str, float, int]]:
        return {
            url: entry
            for url, entry in self.model.items()
            if self.hosts.shut(self.hosts.get(entry[0]), self.now) is None
        }

    @rule(least=st.none() | st.integers(0, 6), queues=st.none() | st.lists(st.sampled_from(QUEUES), max_size=2))
    def take(self, least: int | None, queues: list[str] | None) -> None:
        open_now = self.open_now()
        wanted = {
            url: entry
            for url, entry in open_now.items()
            if (least is None or entry[2] >= least) and (queues is None or entry[1] in queues)
        }
        url = self.frontier.take(self.now, least=None if least is None else (float(least),), queues=queues)
        if url is None:
            assert not wanted
            if queues is None and least is not None:
                # A queue that is passed over has at least one host to give.
                passed = {entry[1] for entry in open_now.values()}
                assert self.frontier.turns.passed(self.now, 1) == bool(passed)
                assert self.frontier.turns.passed(self.now, 1000) >= len(passed)
            return
        assert url in wanted
        host, queue, price, order = self.model.pop(url)
        assert all((price, -order) >= (other[2], -other[3]) for other in open_now.values() if other[1] == queue)
        if queues:
            assert queue == next(name for name in queues if any(entry[1] == name for entry in wanted.values()))
        self.active.append(host)

    @rule(within=st.integers(0, 2), least=st.none() | st.integers(0, 6), passed=st.booleans())
    def take_the_dearest(self, within: int, least: int | None, passed: bool) -> None:
        """The best of all that is open is had, or nearly so, whichever queue's turn it is and was passed over."""
        if passed:
            assert self.frontier.take(self.now, least=(9.0,)) is None
        open_now = self.open_now()
        url = self.frontier.take_dearest(self.now, float(within), None if least is None else (float(least),))
        if url is None:
            assert all(least is not None and entry[2] < least for entry in open_now.values())
            return
        host, queue, price, order = self.model.pop(url)
        assert all((price, -order) >= (other[2], -other[3]) for other in open_now.values() if other[1] == queue)
        assert price >= max(entry[2] for entry in open_now.values()) - within
        assert least is None or price >= least
        self.active.append(host)

    @rule(limit=st.integers(0, 4))
    def look_at_what_is_ready(self, limit: int) -> None:
        best: dict[str, float] = {}
        for _, queue, price, _ in self.open_now().values():
            best[queue] = max(price, best.get(queue, price))
        ready = self.frontier.ready(self.now, limit)
        assert len(ready) == min(limit, len(best))
        assert all(price == (best[queue],) for queue, price in ready)

    @rule(queue=st.sampled_from(QUEUES))
    def close_queue(self, queue: str) -> None:
        gone = self.frontier.close_queue(queue)
        assert sorted(gone) == [url for url, entry in self.model.items() if entry[1] == queue]
        for url in gone:
            del self.model[url]

    @precondition(lambda self: self.active)
    @rule(data=st.data(), fails=st.booleans())
    def finish(self, data: st.DataObject, fails: bool) -> None:
        host = self.hosts.get(self.active.pop(data.draw(st.integers(0, len(self.active) - 1))))
        self.hosts.finish(host, self.now, blame=Reason.HOST_BAD if fails else None)
        self.frontier.turns.reopen(host, self.now)

    @rule(seconds=st.sampled_from([0.5, 3.0, 100.0]))
    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        for host in self.hosts.due(self.now):
            self.frontier.turns.reopen(host, self.now)

    @invariant()
    def counts_agree(self) -> None:
        assert len(self.frontier) == len(self.model)
        sizes: dict[str, int] = {}
        for _, queue, _, _ in self.model.values():
            sizes[queue] = sizes.get(queue, 0) + 1
        assert self.frontier.sizes() == sizes


TestFrontier = FrontierMachine.TestCase
TestFrontier.settings = settings(max_examples=40, stateful_step_count=60)


class LongerMachine(FrontierMachine):
    """The same machine, for more examples."""


TestFrontierForLong = pytest.mark.slow(LongerMachine.TestCase)
TestFrontierForLong.settings = settings(max_examples=200, stateful_step_count=80)


def filled(bound: int, bucket: int, prices: list[float]) -> tuple[Frontier, HostTable]:
    hosts = HostTable()
    frontier = Frontier(hosts, bound=bound, bucket=bucket)
    for order, price in enumerate(prices):
        frontier.add(order, hosts.get(f"h{order % 3}.test"), "", (price,), order)
    return frontier, hosts


def test_queue_is_cut_to_its_bound_worst_and_oldest_first() -> None:
    frontier, _ = filled(3, 2, [1.0, 0.5, 0.5, 0.9, 0.5, 0.1])
    assert sorted(frontier.cut()) == [1, 2, 5]
    assert [frontier.take(0.0) for _ in range(4)] == [0, 3, 4, None]


def test_queue_within_its_bucket_is_not_cut() -> None:
    frontier, _ = filled(3, 2, [1.0, 0.5, 0.5, 0.9, 0.5])
    assert frontier.cut() == []
    assert len(frontier) == 5


def test_a_domain_with_endless_links_does_not_drive_out_the_others() -> None:
    hosts = HostTable()
    frontier = Frontier(hosts, bound=100, bucket=10)
    for order in range(5):
        frontier.add(order, hosts.get(f"small{order}.test"), "", (0.1,), order)
    for order in range(5, 200):
        frontier.add(order, hosts.get(f"h{order}.endless.test"), "", (0.9,), order)
    gone = frontier.cut()
    assert len(frontier) == 100
    assert min(gone) >= 5


def test_queues_are_served_in_turn() -> None:
    hosts = HostTable(Manners(per_host=100, per_domain=100))
    frontier = Frontier(hosts)
    for order in range(9):
        frontier.add(order, hosts.get("a.test"), "xyz"[order // 3], (1.0,), order)
    assert [frontier.take(0.0) for _ in range(9)] == [0, 3, 6, 1, 4, 7, 2, 5, 8]


def test_queues_take_turns_at_a_host_that_rests_between_requests() -> None:
    hosts = HostTable(Manners(delay=10.0))
    frontier = Frontier(hosts)
    host = hosts.get("slow.test")
    for order in range(9):
        frontier.add(order, host, "xyz"[order // 3], (1.0,), order)
    taken, now = [], 0.0
    for _ in range(9):
        taken.append(frontier.take(now))
        assert frontier.take(now) is None
        hosts.finish(host, now, blame=None)
        now += 20.0
        for open_again in hosts.due(now):
            frontier.turns.reopen(open_again, now)
    assert taken == [0, 3, 6, 1, 4, 7, 2, 5, 8]


def test_queues_without_anything_worth_the_least_price_lose_their_turns_and_get_them_back() -> None:
    hosts = HostTable(Manners(per_host=100, per_domain=100))
    frontier = Frontier(hosts)
    for order, price in enumerate([3.0, 3.0, 1.0, 1.0, 2.0]):
        frontier.add(order, hosts.get(f"h{order}.test"), "xyz"[order // 2], (price,), order)
    assert [frontier.take(0.0, least=(2.0,)) for _ in range(4)] == [0, 4, 1, None]
    assert frontier.turns.passed(0.0, 10) == 2
    # Something better turns up in a queue that was passed over.
    frontier.add(9, hosts.get("h9.test"), "y", (5.0,), 9)
    assert [frontier.take(0.0, least=(2.0,)) for _ in range(2)] == [9, None]
    frontier.reprice(3, (2.0,))
    assert [frontier.take(0.0, least=(2.0,)) for _ in range(2)] == [3, None]
    assert [frontier.take(0.0) for _ in range(2)] == [2, None]
    assert frontier.turns.passed(0.0, 10) == 0


def test_what_is_passed_over_again_and_again_takes_no_more_room() -> None:
    hosts = HostTable()
    frontier = Frontier(hosts)
    for order in range(1000):
        frontier.add(order, hosts.get(f"h{order}.test"), "x", (1.0,), order)
        assert frontier.take(0.0, least=(2.0,)) is None
    assert len(frontier.turns._passed) < 50


def test_queues_that_are_equally_good_take_turns_below_the_least_price_too() -> None:
    hosts = HostTable(Manners(per_host=100, per_domain=100))
    frontier = Frontier(hosts)
    for order in range(12):
        frontier.add(order, hosts.get(f"h{order}.test"), "xyz"[order // 4], ([3.0, 2.5, 0.0][order // 4],), order)

    def takes(number: int, within: float) -> list[int | None]:
        taken = []
        for _ in range(number):
            assert frontier.take(0.0, least=(9.0,)) is None
            taken.append(frontier.take_dearest(0.0, within))
        return taken

    assert takes(4, 1.0) == [0, 4, 1, 5]
    assert takes(3, 0.0) == [2, 3, 6]
    # What is far below the best has its turn when nothing better is left.
    assert takes(6, 1.0) == [7, 8, 9, 10, 11, None]


def test_the_standing_of_a_host_counts_with_the_prices_of_its_pages() -> None:
    hosts = HostTable(Manners(per_host=100, per_domain=100))
    frontier = Frontier(hosts)
    hosts.get("a.test").standing = 1.0
    for order, (host, price) in enumerate([("a.test", 2.0), ("b.test", 2.5), ("a.test", 1.0), ("b.test", 1.5)]):
        frontier.add(order, hosts.get(host), "", (price, 7.0), order)
    assert frontier.ready(0.0, 1) == [("", (3.0, 7.0))]
    assert [frontier.take(0.0, least=(1.9,)) for _ in range(4)] == [0, 1, 2, None]


def test_a_least_price_costs_little_with_many_queues_and_hosts() -> None:
    """Counted in heap entries looked at, not in seconds."""
    hosts = HostTable(Manners(per_host=2, per_domain=100))
    frontier = Frontier(hosts)
    looked = [0]
    turns = frontier.turns
    settle = turns._settle

    def counted(*args: Any) -> bool:
        looked[0] += 1
        return settle(*args)

    turns._settle = counted  # type: ignore[method-assign]
    for order in range(20_000):
        frontier.add(order, hosts.get(f"h{order % 10_000}.test"), f"q{order % 2_000}", (float(order % 97),), order)
    for _ in range(500):
        frontier.take(0.0, least=(96.0,))
    # Every queue is passed over once, and then only takes cost anything.
    assert looked[0] <= 2_000 + 2 * 500


def test_closed_host_loses_everything_that_waits_for_it() -> None:
    frontier, hosts = filled(100, 10, [0.1 * value for value in range(9)])
    assert sorted(frontier.close_host(hosts.get("h0.test"))) == [0, 3, 6]
    assert len(frontier) == 6


def test_the_hosts_that_come_next_are_known_ahead() -> None:
    hosts = HostTable(Manners(per_host=1, per_domain=100))
    frontier = Frontier(hosts)
    for order in range(40):
        frontier.add(order, hosts.get(f"h{order % 20}.test"), "xy"[order % 2], (float(-order),), order)
    assert frontier.turns.ahead(0) == []
    assert frontier.turns.ahead(3) == ["h0.test", "h1.test", "h2.test"]
    assert set(frontier.turns.ahead(100)) == {f"h{number}.test" for number in range(20)}
    taken = [frontier.take(0.0) for _ in range(4)]
    # HostTable that are being asked are known already, and none of it has counted as a fetch.
    assert taken == [0, 1, 2, 3]
    assert "h4.test" in frontier.turns.ahead(4)
    assert not {"h0.test", "h1.test", "h2.test", "h3.test"} & set(frontier.turns.ahead(100))
    assert hosts.get("h4.test").active == 0


def test_hosts_of_queues_that_are_passed_over_are_known_ahead() -> None:
    hosts = HostTable()
    frontier = Frontier(hosts)
    frontier.add(1, hosts.get("a.test"), "x", (1.0,), 1)
    assert frontier.take(0.0, least=(2.0,)) is None
    assert frontier.turns.ahead(5) == ["a.test"]


def test_looking_ahead_changes_nothing() -> None:
    frontier, _ = filled(100, 10, [0.1 * value for value in range(9)])
    other, _ = filled(100, 10, [0.1 * value for value in range(9)])
    for _ in range(9):
        frontier.turns.ahead(5)
        assert frontier.take(0.0) == other.take(0.0)


def test_the_best_of_each_queue_are_known_and_stay() -> None:
    hosts = HostTable()
    frontier = Frontier(hosts)
    for order, (queue, price) in enumerate([("x", 0.1), ("x", 0.9), ("x", 0.5), ("y", 0.2)]):
        frontier.add(order, hosts.get(HOSTS[order]), queue, (price,), order)
    frontier.reprice(0, (0.7,))
    assert frontier.best(2) == [1, 0, 3]
    assert frontier.best(0) == []
    assert len(frontier) == 4


RICH = {number + 1: (f"r{number}.test", "rich", 3.0) for number in range(30)}
POOR = {number + 101: (f"p{number}.test", "poor", 2.0) for number in range(30)}


def two_topics(balance: float = 2.0, poor: float = 2.0) -> tuple[HostTable, Frontier]:
    """Return a frontier in which pages of a rich topic and cheaper ones of a poor topic wait, each on its own host."""
    hosts = HostTable()
    frontier = Frontier(hosts, balance=balance)
    for url, (host, queue, price) in (RICH | POOR).items():
        frontier.add(url, hosts.get(host), queue, (poor if queue == "poor" else price,), url)
    return hosts, frontier


def dearest(frontier: Frontier, number: int, *, pages: int = 1) -> str:
    """Take the best, each of which brings so many pages, and return the first letters of their topics."""
    taken = ""
    for _ in range(number):
        url = frontier.take_dearest(0.0, within=0.0)
        queue = "rich" if url in RICH else "poor"
        frontier.shares.count(queue, queue, pages)
        taken += queue[0]
    return taken


def test_a_topic_that_is_ahead_of_the_others_gives_way_to_them() -> None:
    assert dearest(two_topics(balance=0.0)[1], 30) == "r" * 30
    balanced = dearest(two_topics()[1], 30)
    assert balanced.startswith("r")
    assert 8 <= balanced.count("p") <= 15


def test_turns_that_bring_no_page_do_not_put_a_topic_ahead() -> None:
    assert dearest(two_topics()[1], 30, pages=0) == "r" * 30


def test_pages_that_are_there_already_count() -> None:
    _, frontier = two_topics()
    assert dearest(frontier, 1) == "r"
    hosts = HostTable()
    frontier = Frontier(hosts, balance=2.0)
    frontier.shares.remember({"rich": 100})
    frontier.add(1, hosts.get("r0.test"), "rich", (3.0,), 1)
    frontier.add(101, hosts.get("p0.test"), "poor", (2.0,), 2)
    assert dearest(frontier, 1) == "p"


def test_a_topic_that_has_had_its_share_waits_for_what_is_likelier_right_than_wrong() -> None:
    for price, then in ((1.0, "p"), (-9.0, "r")):
        _, frontier = two_topics(balance=0.01, poor=price)
        frontier.shares.share_out(40)
        assert dearest(frontier, 20) == "r" * 20
        frontier.shares.share_out(20)
        assert dearest(frontier, 1) == then


def test_what_an_empty_queue_did_not_need_goes_to_the_others() -> None:
    hosts, frontier = two_topics(balance=0.01)
    frontier.add(999, hosts.get("x.test"), "third", (0.5,), 999)
    for url in POOR:
        frontier.discard(url)
    taken = ""
    for left in range(40, 19, -1):
        frontier.shares.share_out(left)
        taken += dearest(frontier, 1)
    # Half of 40 pages, not a third: then the page of the third topic is worth more.
    assert taken == "r" * 20 + "p"


@pytest.mark.parametrize(("topic", "first"), [("", "r"), ("third", "p")])
def test_pages_count_for_the_topic_of_their_host(topic: str, first: str) -> None:
    hosts, frontier = two_topics()
    frontier.add(999, hosts.get("x.test"), "third", (-5.0,), 999)
    frontier.shares.count("rich", "third", 60)
    for host, _, _ in RICH.values():
        hosts.get(host).belongs(topic)
    assert dearest(frontier, 1) == first


def test_a_host_belongs_to_the_topic_of_most_of_its_pages() -> None:
    host = HostTable().get("a.test")
    for topic in "abbbab":
        host.belongs(topic)
    assert host.topic == "b"

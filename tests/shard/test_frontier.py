"""The frontier against a naive model: whatever it gives is the best that could be had, and it never forgets."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from thresher.reasons import Reason
from thresher.shard.frontier import CHOICE, Frontier
from thresher.shard.hosts import Hosts, Manners

HOSTS = ["a.one.test", "b.one.test", "c.one.test", "two.test", "three.test"]
QUEUES = ["", "x", "y"]


class FrontierMachine(RuleBasedStateMachine):
    """Adds, reprices, discards, takes and finishes at random, with a dictionary as the model."""

    def __init__(self) -> None:
        super().__init__()
        self.hosts = Hosts(Manners(per_host=2, per_domain=3, delay=0.0, max_failures=100))
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

    @rule(chosen=st.booleans())
    def take(self, chosen: bool) -> None:
        open_now = {
            url: entry
            for url, entry in self.model.items()
            if self.hosts.shut(self.hosts.get(entry[0]), self.now) is None
        }
        seen: list[str] = []

        def choose(ready: list[str]) -> str:
            seen.extend(ready)
            return ready[-1]

        url = self.frontier.take(self.now, choose if chosen else None)
        if url is None:
            assert not open_now
            return
        host, queue, price, order = self.model.pop(url)
        assert all((price, -order) >= (other[2], -other[3]) for other in open_now.values() if other[1] == queue)
        if chosen:
            assert queue == seen[-1]
            assert set(seen) <= {entry[1] for entry in open_now.values()}
        self.active.append(host)

    @precondition(lambda self: self.active)
    @rule(data=st.data(), fails=st.booleans())
    def finish(self, data: st.DataObject, fails: bool) -> None:
        host = self.hosts.get(self.active.pop(data.draw(st.integers(0, len(self.active) - 1))))
        self.hosts.finish(host, self.now, blame=Reason.HOST_BAD if fails else None)
        self.frontier.reopen(host, self.now)

    @rule(seconds=st.sampled_from([0.5, 3.0, 100.0]))
    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        for host in self.hosts.due(self.now):
            self.frontier.reopen(host, self.now)

    @invariant()
    def counts_agree(self) -> None:
        assert len(self.frontier) == len(self.model)
        sizes: dict[str, int] = {}
        for _, queue, _, _ in self.model.values():
            sizes[queue] = sizes.get(queue, 0) + 1
        assert self.frontier.sizes() == sizes


TestFrontier = FrontierMachine.TestCase
TestFrontier.settings = settings(max_examples=150, stateful_step_count=60, deadline=None)


def filled(bound: int, bucket: int, prices: list[float]) -> tuple[Frontier, Hosts]:
    hosts = Hosts()
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


def test_queues_are_served_in_turn() -> None:
    hosts = Hosts(Manners(per_host=100, per_domain=100))
    frontier = Frontier(hosts)
    for order in range(9):
        frontier.add(order, hosts.get("a.test"), "xyz"[order // 3], (1.0,), order)
    assert [frontier.take(0.0) for _ in range(9)] == [0, 3, 6, 1, 4, 7, 2, 5, 8]


def test_strategy_chooses_among_at_most_32_queues() -> None:
    hosts = Hosts(Manners(per_host=100, per_domain=100))
    frontier = Frontier(hosts)
    for order in range(100):
        frontier.add(order, hosts.get(f"h{order}.test"), f"q{order}", (1.0,), order)
    shown: list[int] = []
    for _ in range(100):
        assert frontier.take(0.0, lambda ready: shown.append(len(ready)) or ready[0]) is not None
    assert max(shown) == CHOICE


def test_closed_host_loses_everything_that_waits_for_it() -> None:
    frontier, hosts = filled(100, 10, [0.1 * value for value in range(9)])
    assert sorted(frontier.close_host(hosts.get("h0.test"))) == [0, 3, 6]
    assert len(frontier) == 6


def test_the_hosts_that_come_next_are_known_ahead() -> None:
    hosts = Hosts(Manners(per_host=1, per_domain=100))
    frontier = Frontier(hosts)
    for order in range(40):
        frontier.add(order, hosts.get(f"h{order % 20}.test"), "xy"[order % 2], (float(-order),), order)
    assert frontier.ahead(0) == []
    assert frontier.ahead(3) == ["h0.test", "h1.test", "h2.test"]
    assert set(frontier.ahead(100)) == {f"h{number}.test" for number in range(20)}
    taken = [frontier.take(0.0) for _ in range(4)]
    # Hosts that are being asked are known already, and none of it has counted as a fetch.
    assert taken == [0, 1, 2, 3]
    assert "h4.test" in frontier.ahead(4)
    assert not {"h0.test", "h1.test", "h2.test", "h3.test"} & set(frontier.ahead(100))
    assert hosts.get("h4.test").active == 0


def test_looking_ahead_changes_nothing() -> None:
    frontier, _ = filled(100, 10, [0.1 * value for value in range(9)])
    other, _ = filled(100, 10, [0.1 * value for value in range(9)])
    for _ in range(9):
        frontier.ahead(5)
        assert frontier.take(0.0) == other.take(0.0)


def test_the_best_of_each_queue_are_known_and_stay() -> None:
    hosts = Hosts()
    frontier = Frontier(hosts)
    for order, (queue, price) in enumerate([("x", 0.1), ("x", 0.9), ("x", 0.5), ("y", 0.2)]):
        frontier.add(order, hosts.get(HOSTS[order]), queue, (price,), order)
    frontier.reprice(0, (0.7,))
    assert frontier.best(2) == [1, 0, 3]
    assert frontier.best(0) == []
    assert len(frontier) == 4

"""Capacity against a naive count, whatever happens to hosts, and in which order."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from thresher.reasons import Reason
from thresher.shard.capacity import ANSWER
from thresher.shard.host import Host
from thresher.shard.hosts import HostTable
from thresher.shard.rules import Manners

HOSTS = ["a.one.test", "b.one.test", "c.one.test", "two.test", "three.test"]
MANNERS = Manners(per_host=2, per_domain=1, delay=1.0, max_failures=3, backoff=2.0)


class CapacityMachine(RuleBasedStateMachine):
    """Lets URLs wait, asks hosts and lets time pass."""

    def __init__(self) -> None:
        super().__init__()
        self.hosts = HostTable(MANNERS)
        self.now = 0.0
        self.asked: dict[str, bool] = {}

    @rule(name=st.sampled_from(HOSTS), urls=st.integers(-1, 2))
    def wait(self, name: str, urls: int) -> None:
        host = self.hosts.get(name)
        if host.waiting + urls >= 0:
            self.hosts.wait_for(host, urls)

    @rule(name=st.sampled_from(HOSTS), delay=st.sampled_from([0.0, 1.0, 5.0]))
    def ask(self, name: str, delay: float) -> None:
        host = self.hosts.get(name)
        if self.hosts.shut(host, self.now) is None:
            self.hosts.start(host)
            host.delay = delay

    @rule(name=st.sampled_from(HOSTS), fails=st.booleans(), given_back=st.booleans())
    def finish(self, name: str, fails: bool, given_back: bool) -> None:
        host = self.hosts.get(name)
        if not host.active:
            return
        if given_back:
            self.hosts.call_off(host)
            return
        self.hosts.finish(host, self.now, blame=Reason.HOST_BAD if fails else None)
        self.asked[name] = self.asked.get(name, False) or not fails

    @rule(seconds=st.sampled_from([0.1, 1.0, 30.0]))
    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.hosts.due(self.now)

    def _weight(self, host: Host) -> float:
        return 1 / (host.delay + ANSWER) if host.delay else MANNERS.per_host / ANSWER

    @invariant()
    def agrees_with_a_naive_count(self) -> None:
        hosts = [host for name in HOSTS if (host := self.hosts.get(name)).closed is None]
        used = [host for host in hosts if host.active or (host.free_at > self.now and not host.failures)]
        idle = [host for host in hosts if host.waiting and host not in used and not host.failures]
        share = (sum(self.asked.values()) + 1) / (len(self.asked) + 1)
        expected = 0.0
        for known in (False, True):
            for domain in {host.domain for host in idle}:
                own = [host for host in idle if host.domain is domain and self.asked.get(host.name, False) is known]
                weight = min(MANNERS.per_domain / ANSWER, sum(map(self._weight, own)))
                expected += weight if known else weight * share
        assert self.hosts.capacity.measure(self.now) == (
            pytest.approx(sum(map(self._weight, used))),
            pytest.approx(expected, abs=1e-9),
        )
        assert bool(self.hosts.capacity.measure(self.now)[0]) == bool(used)


TestCapacity = CapacityMachine.TestCase
TestCapacity.settings = settings(max_examples=100, stateful_step_count=40)

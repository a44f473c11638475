"""The resolver: map, guard, cache with its limits, and one look-up for many who wait."""

import asyncio
import socket

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from tests.machine import turned
from thresher.web.guard import AddressGuard
from thresher.web.resolver import AddressRefused, GuardedResolver


class Clock:
    time = 0.0

    def now(self) -> float:
        return self.time

    def wall(self) -> float:
        return self.time


class Book(AbstractResolver):
    """Knows the addresses it is given; a host it does not know fails."""

    def __init__(self, **entries: list[str]) -> None:
        self.entries = {name.replace("_", "."): addresses for name, addresses in entries.items()}
        self.asked: list[str] = []
        self.closed = False
        self.error: Exception = OSError(None, "unknown host")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked.append(host)
        await asyncio.sleep(0)
        if host not in self.entries:
            raise self.error
        return [
            ResolveResult(hostname=host, host=a, port=port, family=10 if ":" in a else 2, proto=0, flags=0)
            for a in self.entries[host]
        ]

    async def close(self) -> None:
        self.closed = True


def resolver(book: Book, guard: AddressGuard | None = None, **options: float) -> tuple[GuardedResolver, Clock]:
    clock = Clock()
    return GuardedResolver(guard or AddressGuard(), clock, inner=book, **options), clock  # type: ignore[arg-type]


async def addresses(names: GuardedResolver, host: str, family: int = 0) -> list[tuple[str, int]]:
    return [(r["host"], r["port"]) for r in await names.resolve(host, 80, socket.AddressFamily(family))]


async def test_answers_are_cached_until_they_expire() -> None:
    book = Book(a_com=["1.1.1.1", "2606::1", "1.1.1.1"])
    names, clock = resolver(book, ttl=100)
    for _ in range(3):
        assert await addresses(names, "a.com") == [("1.1.1.1", 80), ("2606::1", 80)]
    assert await addresses(names, "a.com", socket.AF_INET6) == [("2606::1", 80)]
    assert book.asked == ["a.com"]
    clock.time = 101
    await addresses(names, "a.com")
    assert book.asked == ["a.com", "a.com"]


async def test_failures_are_cached_for_a_shorter_time() -> None:
    book = Book()
    names, clock = resolver(book, failure_ttl=10)
    for error in (OSError(None, "unknown host"), ValueError("odd name")):
        book.error = error
        for _ in range(2):
            with pytest.raises(OSError, match=r"unknown host|odd name"):
                await addresses(names, "a.com")
        clock.time += 11
    assert book.asked == ["a.com", "a.com"]


async def test_the_cache_is_bounded() -> None:
    book = Book(**{f"h{i}": ["1.1.1.1"] for i in range(100)})
    names, _ = resolver(book, size=10)
    for i in range(100):
        await addresses(names, f"h{i}")
    assert len(names._cache) == 10


async def test_many_wait_for_one_look_up() -> None:
    book = Book(a_com=["1.1.1.1"])
    names, _ = resolver(book)
    waiting = [asyncio.create_task(addresses(names, "a.com")) for _ in range(20)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert results[1:] == [[("1.1.1.1", 80)]] * 19
    assert book.asked == ["a.com"]


async def test_forbidden_addresses_are_left_out() -> None:
    names, _ = resolver(Book(mixed_com=["127.0.0.1", "1.1.1.1"], evil_com=["10.0.0.1"], none_com=[]))
    assert await addresses(names, "mixed.com") == [("1.1.1.1", 80)]
    with pytest.raises(AddressRefused):
        await addresses(names, "evil.com")
    with pytest.raises(OSError, match="no address"):
        await addresses(names, "none.com")


async def test_mapped_hosts_are_not_looked_up() -> None:
    book = Book()
    names, _ = resolver(book, AddressGuard(mapped={"*.test": "127.0.0.1:8099", "six.test": "::1"}))
    assert await addresses(names, "a.test") == [("127.0.0.1", 8099)]
    assert await addresses(names, "six.test") == [("::1", 80)]
    assert book.asked == []


async def test_closing_ends_what_waits() -> None:
    class Stuck(Book):
        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
        ) -> list[ResolveResult]:
            await asyncio.sleep(60)
            return []

    book = Stuck()
    names, _ = resolver(book)
    waiting = asyncio.create_task(names.lookup("a.com"))
    await turned()
    await names.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert book.closed


class Slow(Book):
    """Answers when it is told to, and knows how many wait for it at once."""

    def __init__(self, **entries: list[str]) -> None:
        super().__init__(**entries)
        self.gate = asyncio.Event()
        self.waiting = self.most = 0

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        await self.gate.wait()
        self.waiting -= 1
        return await super().resolve(host, port, family)


async def test_names_are_looked_up_early_but_few_at_once() -> None:
    book = Slow(**{f"h{i}_com": ["1.1.1.1"] for i in range(50)})
    names, _ = resolver(book, early=4)
    hosts = [f"h{i}.com" for i in range(50)]
    assert names.prepare(hosts) == 4
    assert names.prepare(hosts) == 0
    await asyncio.sleep(0)
    assert book.most == 4
    # Who needs an answer now does not wait for those who do not.
    waiting = asyncio.create_task(addresses(names, "h40.com"))
    await asyncio.sleep(0)
    book.gate.set()
    assert await waiting == [("1.1.1.1", 80)]
    await turned()
    assert names.prepare(hosts) == 4
    await turned()
    assert await addresses(names, "h2.com") == [("1.1.1.1", 80)]
    assert len(book.asked) == len(set(book.asked)) == 9


async def test_what_needs_no_look_up_gets_none() -> None:
    book = Book(a_com=["1.1.1.1"])
    guard = AddressGuard(mapped={"*.test": "127.0.0.1:8099"})
    names, clock = resolver(book, guard, ttl=100)
    assert names.prepare(["", "x.test", "127.0.0.1", "[::1]", "8.8.8.8", "a.com", "a.com"]) == 1
    await turned()
    assert names.prepare(["a.com"]) == 0
    clock.time = 101
    assert names.prepare(["a.com"]) == 1
    await turned()
    assert book.asked == ["a.com", "a.com"]


async def test_names_out_of_reach_are_not_asked_about() -> None:
    book = Book(a_com=["1.1.1.1"], b_com=["10.0.0.1"])
    names, _ = resolver(book, AddressGuard(allow=["b.com"], public=False))
    assert names.prepare(["a.com", "b.com"]) == 1
    await turned()
    assert book.asked == ["b.com"]


@pytest.mark.parametrize("error", [OSError(None, "unknown"), ValueError("odd"), UnicodeError("label too long")])
async def test_an_early_failure_hurts_nobody(error: Exception) -> None:
    book = Book()
    book.error = error
    names, _ = resolver(book, early=2)
    for i in range(20):
        names.prepare([f"h{i}", "x" * 300, "a..b"])
        await turned()
    assert names.prepare(["fresh"]) == 1
    with pytest.raises(OSError):
        await addresses(names, "h0")
    await names.close()


async def test_an_early_answer_passes_the_guard_when_it_is_used() -> None:
    book = Book(evil_com=["127.0.0.1"], good_com=["1.1.1.1"])
    names, clock = resolver(book, ttl=100)
    assert names.prepare(["evil.com", "good.com"]) == 2
    await turned()
    with pytest.raises(AddressRefused):
        await addresses(names, "evil.com")
    # The name is bound anew after its first answer: the new address is judged like the old one.
    book.entries["good.com"] = ["10.0.0.1"]
    clock.time = 101
    names.prepare(["good.com"])
    await turned()
    with pytest.raises(AddressRefused):
        await addresses(names, "good.com")


def test_outside_of_a_loop_nothing_is_begun() -> None:
    names, _ = resolver(Book(a_com=["1.1.1.1"]))
    assert names.prepare(["a.com"]) == 0

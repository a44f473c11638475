import pytest

from thresher.errors import InputError
from thresher.simweb.access_log import Access, AccessLog, InProgress, read_log
from thresher.simweb.judge import judge
from thresher.simweb.pages import Flag


def access(host, target="/", at=0.0, took=0.01, status=200, others=0, agent="thresher/0.1"):
    return Access(
        received=at,
        answered=None if status == 0 else at + took,
        host=host,
        target=target,
        status=status,
        agent=agent,
        bytes=10,
        in_progress=others,
    )


def host_with(web, robots):
    return next(host for host in web.hosts if host.robots == robots and not host.unreachable)


def forbidden(web):
    page = next(page for page in range(web.pages.count) if web.pages.flags[page] & Flag.DISALLOWED)
    host = web.hosts[int(web.pages.host[page])]
    return host.name, web.urls[page].removeprefix(f"http://{host.name}")


def test_an_empty_log_is_polite(mixed):
    verdict = judge(mixed, [])
    assert verdict.polite
    assert (verdict.requests, verdict.max_parallel, verdict.fetches) == (0, 0, {})


def test_a_polite_crawl_has_no_findings(mixed):
    host = host_with(mixed, "delay")
    log = [access(host.name, "/robots.txt", 0.0)]
    log += [access(host.name, f"/{n}", 0.1 + n * host.crawl_delay) for n in range(4)]
    assert judge(mixed, log).polite


def test_disallowed_requests_are_found(mixed):
    host, target = forbidden(mixed)
    verdict = judge(mixed, [access(host, "/robots.txt"), access(host, target, 1.0), access(host, "/", 2.0)])
    assert (verdict.disallowed.count, verdict.disallowed.examples) == (1, [f"http://{host}{target}"])
    assert not verdict.polite


def test_rules_for_other_agents_do_not_count(mixed):
    host = host_with(mixed, "partial").name
    log = [access(host, "/robots.txt"), access(host, "/", 1.0)]
    assert judge(mixed, log).disallowed.count == 0
    greedy = [access(host, "/robots.txt"), access(host, "/", 1.0, agent="greedybot/2")]
    assert judge(mixed, greedy).disallowed.count == 1


def test_everything_is_forbidden_where_the_robots_file_fails(mixed):
    host = next(host for host in mixed.hosts if host.robots == "error").name
    assert judge(mixed, [access(host, "/robots.txt", status=500), access(host, "/", 1.0)]).disallowed.count == 1


def test_requests_before_the_robots_file_is_answered_are_found(mixed):
    a, b = mixed.hosts[0].name, mixed.hosts[1].name
    log = [
        access(a, "/robots.txt", 0.0, took=1.0),
        access(a, "/", 0.5),
        access(a, "/x", 1.5),
        access(b, "/robots.txt", 0.0, status=0),
        access(b, "/", 9.0),
    ]
    assert judge(mixed, log).before_robots.examples == [f"http://{a}/", f"http://{b}/"]


def test_requests_that_come_too_early_are_found_and_robots_files_are_exempt(mixed):
    host = host_with(mixed, "delay")
    soon = host.crawl_delay / 2
    log = [access(host.name, target, at) for target, at in (("/a", 0.0), ("/robots.txt", soon), ("/b", soon))]
    verdict = judge(mixed, log)
    assert verdict.too_early.examples == [f"http://{host.name}/b"]
    assert judge(mixed, log, slack=host.crawl_delay).too_early.count == 0


def test_a_delay_can_be_expected_of_every_host(mixed):
    host = host_with(mixed, "open").name
    log = [access(host, "/a", 0.0), access(host, "/b", 0.5)]
    assert judge(mixed, log).too_early.count == 0
    assert judge(mixed, log, delay=1.0).too_early.count == 1


def test_parallel_requests_are_found(mixed):
    log = [access("a.test"), access("b.test", others=2), access("b.test", others=1)]
    verdict = judge(mixed, log)
    assert (verdict.parallel.count, verdict.parallel.examples, verdict.max_parallel) == (1, ["b.test"], 3)


def test_refetched_pages_are_counted_and_failures_are_not(mixed):
    host = mixed.hosts[0].name
    log = [access(host, "/a", n) for n in range(3)]
    log += [access(host, "/b", 4, status=503), access(host, "/b", 5), access(host, "/robots.txt", 6)]
    verdict = judge(mixed, [*log, access(host, "/robots.txt", 7)])
    assert verdict.fetches == {f"http://{host}/a": 3, f"http://{host}/b": 1}
    assert (verdict.refetched.count, verdict.refetched.examples) == (2, [f"http://{host}/a"])


def test_examples_are_few(mixed):
    verdict = judge(mixed, [access(mixed.hosts[0].name, f"/{n}", n) for n in range(100)])
    assert (verdict.before_robots.count, len(verdict.before_robots.examples)) == (100, 5)


def test_a_log_is_read_back_in_the_order_of_arrival(tmp_path):
    log = AccessLog(tmp_path / "log")
    later, sooner = access("a.test", at=2.0), access("b.test", at=1.0, status=0)
    log.write(later)
    log.write(sooner)
    assert read_log(tmp_path / "log") == [sooner, later]
    log.close()


def test_a_line_cut_short_by_a_kill_is_passed_over_but_rubbish_is_not(tmp_path):
    path = tmp_path / "log"
    log = AccessLog(path)
    log.write(access("a.test"))
    log.close()
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:20])
    assert len(read_log(path)) == 1
    path.write_bytes(b"rubbish\n" + whole)
    with pytest.raises(InputError, match="Line 1"):
        read_log(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_log(tmp_path / "none")


def test_requests_in_progress():
    progress = InProgress()
    assert [progress.arrive("a"), progress.arrive("a"), progress.arrive("b")] == [0, 1, 0]
    progress.leave("a")
    assert progress.arrive("a") == 1

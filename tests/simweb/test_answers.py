import numpy as np
import pytest
from protego import Protego

from thresher.simweb.answers import BUSY_SECONDS, answer
from thresher.simweb.behaviour import TRAPS
from thresher.simweb.pages import Flag, PageKind
from thresher.simweb.robots_files import robots_file
from thresher.simweb.traps import trap_entry
from thresher.web.urls import canonical, host_of

from .reading import links_of


def ask(web, url, now=0.0, method="GET"):
    host = host_of(url)
    reply = answer(web, method, host, url[len("http://") + len(host) :], now)
    assert reply is not None
    return reply


def header(reply, name):
    return next((value for key, value in reply.headers if key.lower() == name.lower()), None)


def host_with(web, **fields):
    return next(h for h in web.hosts if all(getattr(h, name) == value for name, value in fields.items()))


def test_every_page_is_answered_with_its_status(mixed):
    silent = {number for number, host in enumerate(mixed.hosts) if host.hangs}
    for page, url in enumerate(mixed.urls):
        if int(mixed.pages.host[page]) in silent or mixed.pages.flags[page] & Flag.BUSY or page % 3:
            continue
        soft = mixed.hosts[int(mixed.pages.host[page])].soft_404 and mixed.pages.status[page] in (404, 410)
        assert ask(mixed, url).status == (200 if soft else mixed.pages.status[page])


def test_answers_are_the_same_every_time(mixed):
    for url in mixed.urls[::40]:
        assert ask(mixed, url) == ask(mixed, url)


def test_nothing_of_a_finite_web_depends_on_time(finite):
    for url in finite.urls[::9]:
        first = ask(finite, url, 0.0)
        assert first.delay == 0
        assert not first.hang
        assert all(ask(finite, url, now) == first for now in (3.0, 7.7, 1000.0))
    for host in finite.hosts:
        assert robots_file(host)[0] in (200, 404)


def test_unknown_hosts_and_paths(mixed):
    assert answer(mixed, "GET", "nowhere.test", "/", 0.0) is None
    assert ask(mixed, mixed.urls[0] + "no/such/page").status == 404


def test_soft_errors_say_the_same_with_a_good_status(mixed):
    host = host_with(mixed, soft_404=True)
    first, second = (ask(mixed, f"http://{host.name}/{path}") for path in ("no/such/page", "nor.html"))
    assert first.status == second.status == 200
    assert abs(len(first.body) - len(second.body)) < 20
    assert first.body != second.body


def test_head_has_the_headers_of_get_and_no_body(mixed):
    url = mixed.urls[0]
    get, head = ask(mixed, url), ask(mixed, url, method="HEAD")
    assert head.body == b""
    assert head.headers == get.headers
    assert header(get, "content-length") == str(len(get.body))


def test_other_methods_are_refused(mixed):
    reply = ask(mixed, mixed.urls[0], method="POST")
    assert (reply.status, header(reply, "allow")) == (405, "GET, HEAD")


def test_redirects_lead_where_the_plan_says(mixed):
    seen = set()
    for page in np.flatnonzero(mixed.pages.is_kind(PageKind.REDIRECT)).tolist():
        if mixed.hosts[int(mixed.pages.host[page])].hangs:
            continue
        location = header(ask(mixed, mixed.urls[page]), "location")
        assert canonical(location, mixed.urls[page]) == mixed.urls[int(mixed.pages.to[page])]
        seen.add(location.startswith("/"))
    assert seen == {True, False}


def test_some_redirects_loop_and_some_arrive(mixed):
    def hops(page):
        for hop in range(50):
            if mixed.pages.kind[page] != PageKind.REDIRECT:
                return hop
            page = int(mixed.pages.to[page])
        return None

    outcomes = {hops(page) for page in np.flatnonzero(mixed.pages.is_kind(PageKind.REDIRECT)).tolist()}
    assert {None, 1, 2} <= outcomes <= {None, 1, 2, 3, 4}


def test_busy_pages_recover_after_the_time_they_ask_for(mixed):
    refused = 0
    for page in np.flatnonzero(mixed.pages.has(Flag.BUSY)).tolist():
        for now in (0.0, 1.0, BUSY_SECONDS, 2 * BUSY_SECONDS + 0.5):
            reply = ask(mixed, mixed.urls[page], now)
            if reply.status != 200:
                refused += 1
                assert reply.status == mixed.hosts[int(mixed.pages.host[page])].busy
                wait = int(header(reply, "retry-after"))
                assert 1 <= wait <= BUSY_SECONDS
                assert ask(mixed, mixed.urls[page], now + wait).status == 200
    assert refused


def test_silent_hosts_answer_for_their_robots_file_only(mixed):
    host = host_with(mixed, hangs=True)
    assert ask(mixed, f"http://{host.name}/").hang
    assert not ask(mixed, f"http://{host.name}/robots.txt").hang


def test_slow_hosts_take_their_time(mixed):
    host = next(host for host in mixed.hosts if host.delay)
    assert ask(mixed, f"http://{host.name}/").delay == host.delay


@pytest.mark.parametrize("name", ["mixed", "finite"])
def test_disallowed_pages_are_disallowed_by_a_real_parser_and_no_others(name, request):
    web = request.getfixturevalue(name)
    kinds = set()
    for number, host in enumerate(web.hosts):
        reply = ask(web, f"http://{host.name}/robots.txt")
        kinds.add(host.robots)
        if reply.status != 200:
            assert (reply.status, host.robots) in {(404, "missing"), (500, "error")}
            continue
        parser = Protego.parse(reply.body.decode())
        assert (parser.crawl_delay("thresher") or 0.0) == host.crawl_delay
        for page in np.flatnonzero(web.pages.host == number).tolist():
            forbidden = bool(web.pages.flags[page] & Flag.DISALLOWED)
            assert parser.can_fetch(web.urls[page], "thresher") != forbidden
    assert {"partial", "broken", "delay", "open", "missing"} <= kinds
    assert web.pages.has(Flag.DISALLOWED).any()


def test_charsets_are_declared(mixed):
    seen = set()
    for host in mixed.hosts:
        if host.hangs:
            continue
        reply = ask(mixed, f"http://{host.name}/")
        declared = header(reply, "content-type")
        markup = reply.body.decode(host.charset)
        assert host.charset in (markup if host.charset_in_meta else declared)
        seen.add((host.charset, host.charset_in_meta))
    assert len(seen) == 4


@pytest.mark.parametrize("trap", TRAPS)
def test_traps_have_no_end(mixed, trap):
    host = host_with(mixed, trap=trap)
    url = f"http://{host.name}{trap_entry(host)}"
    visited = set()
    for _ in range(150):
        reply = ask(mixed, url)
        visited.add(url)
        links = [link for link, _, _ in links_of(reply.body.decode(host.charset), url)]
        unplanned = [link for link in links if mixed.page(link) is None and link not in visited]
        url = next(link for link in unplanned if ask(mixed, link).status == 200)
    assert len(visited) == 150


def test_sessions_change_addresses_but_not_pages(mixed):
    host = host_with(mixed, trap="session")
    url = mixed.urls[host.first]
    first, second = ask(mixed, url), ask(mixed, f"{url}?sid=0a0a")
    links = [{link for link, _, _ in links_of(r.body.decode(host.charset), url)} for r in (first, second)]
    assert links[0] != links[1]
    assert {link.partition("sid=")[0] for link in links[0]} == {link.partition("sid=")[0] for link in links[1]}


def test_a_calendar_ends_where_dates_do(mixed):
    host = host_with(mixed, trap="calendar")
    for path, status in (("0/01", 200), ("2024/13", 404), ("2024/00", 404), ("-1/01", 404), ("9" * 30 + "/01", 404)):
        assert ask(mixed, f"http://{host.name}/calendar/{path}").status == status

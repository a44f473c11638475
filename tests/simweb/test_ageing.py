"""The generated web grows older: pages change and vanish, and what has not changed is not sent again."""

from msgspec.structs import replace

from thresher.simweb.ageing import version_of
from thresher.simweb.answers import answer
from thresher.simweb.manifest import digest
from thresher.simweb.pages import PageKind
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.web.urls import host_of

YOUNG = WebParameters(pages=600, hosts=20, seed=4, profile="clean")


def ask(web: Web, url: str, **conditions: str) -> tuple[int, bytes, dict[str, str]]:
    fields = {name.replace("_", "-"): value for name, value in conditions.items()}
    host = host_of(url)
    reply = answer(web, "GET", host, url[len("http://") + len(host) :], 0.0, fields)
    assert reply is not None
    return reply.status, reply.body, {name.lower(): value for name, value in reply.headers}


def test_the_plan_stays_and_some_pages_change_or_vanish() -> None:
    young, old = Web(YOUNG), Web(replace(YOUNG, generation=3))
    assert digest(young) == digest(old)
    versions = [version_of(old, page) for page in range(len(old.urls))]
    assert 0.05 < versions.count(None) / len(versions) < 0.2
    assert 0.3 < versions.count(0) / len(versions) < 0.7
    assert {version_of(young, page) for page in range(len(young.urls))} == {0}
    for page, url in enumerate(old.urls):
        before, now = ask(young, url), ask(old, url)
        assert before[0] == 200
        if versions[page] is None:
            assert now[0] in (404, 410)
            assert page not in {host.first for host in old.hosts}
        else:
            assert (before[1] == now[1]) is (versions[page] == 0)


def test_what_vanished_never_comes_back() -> None:
    webs = [Web(replace(YOUNG, generation=generation)) for generation in range(5)]
    for page in range(len(webs[0].urls)):
        gone = [version_of(web, page) is None for web in webs]
        assert gone == sorted(gone)


def test_a_mirror_ages_with_its_original() -> None:
    old = Web(WebParameters(pages=900, hosts=30, seed=2, profile="mixed", generation=4))
    mirrors = [page for page in range(len(old.urls)) if old.pages.kind_of(page) is PageKind.MIRROR]
    assert mirrors
    for page in mirrors:
        assert version_of(old, page) == version_of(old, int(old.pages.original[page]))


def test_a_copy_is_confirmed_as_long_as_it_is_the_newest() -> None:
    young, old = Web(YOUNG), Web(replace(YOUNG, generation=2))
    confirmed = sent = silent = 0
    for page, url in enumerate(young.urls):
        fields = ask(young, url)[2]
        conditions = {}
        if "last-modified" in fields:
            conditions["if_modified_since"] = fields["last-modified"]
        if "etag" in fields:
            conditions["if_none_match"] = fields["etag"]
        silent += not conditions
        if conditions and version_of(old, page) is not None:
            status, body, _ = ask(old, url, **conditions)
            assert (status == 304) is (version_of(old, page) == 0)
            assert bool(body) is (status == 200)
            confirmed += status == 304
            sent += status == 200
    assert min(confirmed, sent, silent) > 10

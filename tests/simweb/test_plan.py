import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.errors import InputError
from thresher.simweb.hosts import HostRole
from thresher.simweb.manifest import digest
from thresher.simweb.pages import Flag, PageKind
from thresher.simweb.parameters import WebParameters
from thresher.simweb.render import render
from thresher.simweb.web import Web
from thresher.web.urls import canonical, host_of, registered_domain

from .walks import crawlable


def in_links(web):
    sources = np.repeat(np.arange(web.pages.count), np.diff(web.graph.starts))
    found = [[] for _ in range(web.pages.count)]
    for source, target in zip(sources.tolist(), web.graph.targets.tolist(), strict=True):
        found[target].append(source)
    return found


def test_the_same_seed_gives_the_same_web_and_another_seed_another():
    parameters = WebParameters(pages=400, hosts=20, seed=9)
    first, second = Web(parameters), Web(parameters)
    other = Web(WebParameters(pages=400, hosts=20, seed=10))
    assert digest(first) == digest(second) != digest(other)
    shown = [page for page in range(400) if first.pages.status[page] == 200 and first.pages.kind[page] != PageKind.TRAP]
    assert all(render(first, page) == render(second, page) for page in shown)


@pytest.mark.slow
@settings(max_examples=25)
@given(
    pages=st.integers(20, 400),
    share=st.integers(2, 40),
    seed=st.integers(0, 1000),
    profile=st.sampled_from(["mixed", "finite", "clean"]),
    depth=st.integers(1, 3),
    languages=st.sampled_from([("en",), ("de",), ("en", "de"), ("fr", "en", "de")]),
)
def test_webs_of_any_size_hold_together(pages, share, seed, profile, depth, languages):
    web = Web(
        WebParameters(
            pages=pages, hosts=max(2, pages // share), seed=seed, profile=profile, depth=depth, languages=languages
        )
    )
    assert len(set(web.urls)) == pages
    assert sum(host.size for host in web.hosts) == pages
    assert len({host.name for host in web.hosts}) == len(web.hosts)
    assert all(host.size >= 1 for host in web.hosts)
    assert ((web.graph.targets >= 0) & (web.graph.targets < pages)).all()
    assert (web.pages.to[web.pages.is_kind(PageKind.REDIRECT)] >= 0).all()
    assert (web.pages.original[web.pages.is_kind(PageKind.MIRROR, PageKind.NEAR_DUPLICATE)] >= 0).all()
    for page in range(0, pages, 7):
        if web.pages.status[page] == 200 and web.pages.kind[page] != PageKind.TRAP:
            assert render(web, page)


def test_addresses_are_canonical_and_carry_no_port(mixed):
    for url in mixed.urls:
        assert canonical(url) == url
        assert host_of(url).endswith(".test")
        assert ":" not in url.removeprefix("http://")


def test_some_hosts_share_a_registered_domain(mixed):
    domains = [registered_domain(host.name) for host in mixed.hosts]
    assert len(set(domains)) < len(domains)


def test_sizes_and_degrees_have_heavy_tails(mixed):
    sizes = sorted(host.size for host in mixed.hosts)
    assert sizes[-1] > 8 * sizes[len(sizes) // 2]
    shown = np.flatnonzero(mixed.pages.status == 200)
    out = np.diff(mixed.graph.starts)[shown]
    into = np.bincount(mixed.graph.targets, minlength=mixed.pages.count)
    assert 20 <= out.mean() <= 40
    assert out.max() > 3 * np.median(out)
    assert into.max() > 15 * np.median(into)


def test_a_mixed_web_has_everything(mixed):
    assert set(np.unique(mixed.pages.kind)) == set(PageKind)
    assert all(mixed.pages.has(flag).any() for flag in Flag)
    assert {404, 410, 500, 301, 302} <= set(np.unique(mixed.pages.status))
    assert {host.trap for host in mixed.hosts} == {"", "calendar", "session", "growing"}
    assert {host.robots for host in mixed.hosts} == {"missing", "open", "partial", "broken", "delay", "error"}
    assert {host.language for host in mixed.hosts} == {"en", "de", "fr"}
    assert {host.role for host in mixed.hosts} == set(HostRole)
    assert {host.charset for host in mixed.hosts} == {"utf-8", "iso-8859-1"}
    assert any(host.hangs for host in mixed.hosts)
    assert any(host.delay for host in mixed.hosts)
    assert mixed.graph.nofollow.any()
    redirects = np.flatnonzero(mixed.pages.is_kind(PageKind.REDIRECT))
    ends = mixed.pages.kind[mixed.pages.to[redirects]]
    assert (ends == PageKind.REDIRECT).any()
    assert (ends != PageKind.REDIRECT).any()


def test_a_finite_web_has_no_traps_no_copies_and_nothing_timed(finite):
    kinds = {PageKind(kind) for kind in np.unique(finite.pages.kind)}
    assert kinds == {
        PageKind.CONTENT,
        PageKind.NOISE,
        PageKind.WELCOME,
        PageKind.HUB,
        PageKind.REDIRECT,
        PageKind.ERROR,
    }
    assert not finite.pages.has(Flag.BUSY).any()
    assert not any(host.trap or host.hangs or host.delay or host.busy for host in finite.hosts)
    assert finite.pages.status.max() < 500


def test_a_finite_web_is_reached_whole_but_for_what_robots_forbid(finite):
    assert (finite.reachable == ~finite.pages.has(Flag.DISALLOWED)).all()


def test_a_clean_web_has_good_pages_only(clean):
    assert set(np.unique(clean.pages.kind)) <= {PageKind.CONTENT, PageKind.NOISE, PageKind.WELCOME, PageKind.HUB}
    assert (clean.pages.status == 200).all()
    assert not clean.pages.flags.any()
    assert {host.robots for host in clean.hosts} == {"missing"}
    assert clean.reachable.all()


def test_every_good_page_of_a_mixed_web_is_reached(mixed):
    silent = np.array([host.unreachable for host in mixed.hosts])[mixed.pages.host]
    assert (mixed.reachable == ~(mixed.pages.has(Flag.DISALLOWED) | silent)).all()


@pytest.mark.parametrize("name", ["mixed", "finite", "clean"])
def test_enclaves_are_only_entered_through_two_off_topic_pages(name, request):
    web = request.getfixturevalue(name)
    sources = in_links(web)
    members = np.flatnonzero(web.pages.gate >= 0).tolist()
    assert len(members) > web.pages.count / 8
    for member in members:
        gate = int(web.pages.gate[member])
        assert all(source == gate or web.pages.gate[source] == gate for source in sources[member])
        outside = [source for source in sources[gate] if web.pages.gate[source] != gate]
        assert web.pages.topic[gate] < 0
        assert (web.pages.topic[outside] < 0).all()


def test_topics_are_balanced(mixed):
    counts = np.bincount(mixed.pages.topic[mixed.pages.topic >= 0])
    leaves = counts[mixed.tree.leaves()]
    assert leaves.max() < 2 * leaves.min()
    assert counts.min() >= 15


def test_links_stay_in_topic_more_often_than_chance(mixed):
    graph = crawlable(mixed)
    topic = mixed.pages.topic
    pairs = [(topic[page], topic[target]) for page, links in enumerate(graph) for target in links if topic[page] >= 0]
    same = sum(source == target for source, target in pairs) / len(pairs)
    assert same > 4 * (topic >= 0).mean() / len(mixed.tree)


def test_locality_is_a_parameter():
    def same(locality):
        web = Web(WebParameters(pages=1000, hosts=30, seed=2, locality=locality, profile="clean"))
        graph = crawlable(web)
        topic = web.pages.topic
        return np.mean([topic[p] == topic[t] for p, links in enumerate(graph) for t in links if topic[p] >= 0])

    assert same(0.0) < same(0.5) < same(1.0)


def test_hubs_are_off_topic_and_lead_into_one_topic(mixed):
    shares = []
    for hub in np.flatnonzero(mixed.pages.is_kind(PageKind.HUB)).tolist():
        assert mixed.pages.topic[hub] < 0
        shares.append(np.mean(mixed.pages.topic[mixed.links(hub)] == mixed.pages.theme[hub]))
    assert np.mean(shares) > 0.3


def test_start_pages_are_off_topic_homes(mixed):
    starts = mixed.start_pages()
    assert len(starts) == 5
    labels = mixed.labels()
    assert all(labels[url] is None and url.endswith(".test/") for url in starts)


def test_labels_cover_what_is_answered_with_200(mixed):
    labels = mixed.labels()
    assert len(labels) == (mixed.pages.status == 200).sum()
    assert set(labels.values()) == {None, *mixed.topics()}


def test_examples_and_negatives(mixed):
    labels = mixed.labels()
    for topic in mixed.topics():
        examples = mixed.examples(topic, 10, seed=1)
        assert len(set(examples)) == 10
        assert set(examples) <= set(mixed.targets(topic))
        assert all((labels[url] or "").startswith(topic) for url in examples)
        assert {labels[url] for url in mixed.examples(topic, 10, exact=True)} == {topic}
        negatives = mixed.negatives(topic, 30, seed=1)
        assert len(set(negatives)) == 30
        assert not set(negatives) & set(mixed.targets(topic))
    topic = mixed.topics()[0]
    assert mixed.examples(topic, 10, seed=1) == mixed.examples(topic, 10, seed=1)
    assert mixed.examples(topic, 10, seed=1) != mixed.examples(topic, 10, seed=2)


def test_too_many_examples_are_refused(mixed):
    with pytest.raises(InputError, match="fewer than"):
        mixed.examples(mixed.topics()[-1], 10_000)
